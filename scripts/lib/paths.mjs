/** Where things are: the root of this checkout and the directory that holds everything a running Plinth keeps. */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** `PLINTH_DATA_DIR` made absolute; `.plinth` in the root unless set. */
export function dataDirectory(env = process.env) {
  return resolve(root, env.PLINTH_DATA_DIR || '.plinth');
}
