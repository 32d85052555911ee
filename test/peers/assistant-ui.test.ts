import { clientRules } from './support/client-rules.js';

clientRules({
  name: 'assistant-ui',
  say: async (page, text) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  },
});
