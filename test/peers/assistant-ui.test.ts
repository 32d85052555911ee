import { clientRules } from './support/client-rules.js';

clientRules({
  name: 'assistant-ui',
  say: async (page, text) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  },
  attach: async (page, file) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach' }).click();
    await (await chooser).setFiles(file);
    await page.getByText(file.name).waitFor();
  },
});
