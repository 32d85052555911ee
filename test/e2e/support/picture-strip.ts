import type { BrowserContext } from 'playwright-core';

/** With `PLINTH_SCREENSHOTS=<folder>`, keeps moments (rows) of several windows (columns) as one small picture. */
export async function keepStrip(
  context: BrowserContext,
  name: string,
  moments: readonly (readonly Buffer[])[],
): Promise<void> {
  const folder = process.env.PLINTH_SCREENSHOTS;
  if (!folder) return;
  const columns = moments[0]?.length ?? 1;
  const page = await context.newPage();
  const pictures = moments
    .flat()
    .map((picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
    .join('');
  await page.setContent(
    `<style>body { margin: 0; background: #777 } main { display: grid; gap: 8px; padding: 8px; width: 1264px;
      grid-template-columns: repeat(${columns}, 1fr) } img { width: 100%; display: block }</style><main>${pictures}</main>`,
  );
  await page.locator('main').screenshot({ path: `${folder}/${name}.png` });
  await page.close();
}
