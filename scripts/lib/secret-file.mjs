/** Small files that only their owner may read. Written whole or not at all. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The text of `path`; when the file does not exist yet, what `make()` returns is written there first. */
export function readOrCreateSecret(path, make) {
  if (!existsSync(path)) writeSecret(path, make());
  return readFileSync(path, 'utf8');
}

export function writeSecret(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
