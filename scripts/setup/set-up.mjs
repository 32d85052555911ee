/** What every command needs first: dependencies and a build. A second time it takes about a second. */
import { generate } from '../generate.mjs';
import { buildPages } from './build-pages.mjs';
import { compile } from './compile.mjs';
import { ensureInstalled } from './install.mjs';

export async function setUp(progress) {
  await progress.step('Dependencies', (log) => ensureInstalled({ log }));
  await progress.step('Build', async (log) => {
    await generate({ log });
    await compile();
    await buildPages({ log });
  });
}
