/**
 * The secrets of this installation, made once and kept in `<data directory>/secrets.json`.
 *
 * `PLINTH_SECRET` in the environment wins. Processes that share a database must share it: the password of
 * the database role is derived from it, so they agree without talking.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SetupProblem } from './problem.mjs';
import { readOrCreateSecret } from './secret-file.mjs';

export function loadSecrets(dataDir, env = process.env) {
  const path = join(dataDir, 'secrets.json');
  const kept = parse(
    path,
    readOrCreateSecret(path, () => `${JSON.stringify(generate(), null, 2)}\n`),
  );
  const masterSecret = env.PLINTH_SECRET || kept.masterSecret;
  return {
    masterSecret,
    demoApiKey: env.PLINTH_DEMO_API_KEY || kept.demoApiKey,
    appRolePassword: createHmac('sha256', masterSecret).update('plinth: role plinth_app').digest('base64url'),
  };
}

const random = () => randomBytes(32).toString('base64url');
const generate = () => ({ masterSecret: random(), demoApiKey: `plk_demo_${random()}` });

function parse(path, text) {
  try {
    const kept = JSON.parse(text);
    if (kept.masterSecret && kept.demoApiKey) return kept;
  } catch {
    // Told below, the same way as a file with parts missing.
  }
  throw new SetupProblem(
    `${path} is damaged. Put it back from a copy; without its master secret, what was encrypted is lost.`,
  );
}
