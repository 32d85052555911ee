import type { Page } from 'playwright-core';

/** With `PLINTH_SCREENSHOTS=<folder>`, keeps what the person sees. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.PLINTH_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
