/** Whether the committed API document is the one that the server serves; the types of the client are made of it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import { CONTRACT, documentText } from './document.mjs';
import { generateClient } from './generate-client.mjs';

const DRIFTED = `${CONTRACT} is not what the server serves. Look at what "npm run check -- --fix" makes of it, and commit it.`;

/** Resolves with `{ code, output }` like a tool that was run. Compiles the server first: the document is read off it. */
export async function checkContract({ fix = false } = {}) {
  const compiled = await run('tsc', ['-b', 'apps/server', '--pretty', 'false']);
  if (compiled.code !== 0) return compiled;
  const path = join(root, CONTRACT);
  const text = await documentText();
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === text;
  if (!isSame && !fix) return { code: 1, output: DRIFTED };
  if (!isSame) writeFileSync(path, text);
  await generateClient({ log: console.log });
  return { code: 0, output: '' };
}
