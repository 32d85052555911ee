/**
 * Ports of the helpers behind the server. They are kept between starts, because addresses of theirs end up in
 * the database (the demo's job service is called back to long after a restart).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, whyPortIsTaken } from '../lib/ports.mjs';

export async function internalPorts(dataDir, names) {
  const path = join(dataDir, 'ports.json');
  const kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  for (const name of names) {
    if (!kept[name] || (await whyPortIsTaken(kept[name]))) kept[name] = await freePort();
  }
  writeFileSync(path, JSON.stringify(kept));
  return kept;
}
