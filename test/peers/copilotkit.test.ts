import { clientRules } from './support/client-rules.js';

clientRules({
  name: 'copilotkit',
  say: async (page, text) => {
    await page.getByTestId('copilot-chat-textarea').fill(text);
    await page.getByTestId('copilot-send-button').click();
  },
  attach: async (page, file) => {
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByTestId('copilot-attachment-queue').locator('img').waitFor();
  },
});
