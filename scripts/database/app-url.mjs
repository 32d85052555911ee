/** Which URL the server connects with: `DATABASE_APP_URL` when given, else a role with a derived password. */
import { SetupProblem } from '../lib/problem.mjs';
import { APP_ROLE, ensureAppRole } from './app-role.mjs';

/** Makes sure the role exists, and returns the URL. `readSecrets` is only called when the URL is not given. */
export async function ensureAppUrl({ adminUrl, readSecrets, env = process.env }) {
  if (!env.DATABASE_APP_URL) return ensureAppRole({ adminUrl, password: readSecrets().appRolePassword });
  const given = new URL(env.DATABASE_APP_URL);
  if (given.username !== APP_ROLE) {
    throw new SetupProblem(
      `DATABASE_APP_URL must use the role ${APP_ROLE}, to which the migrations grant; it uses "${given.username}".`,
    );
  }
  await ensureAppRole({ adminUrl, password: decodeURIComponent(given.password) });
  return env.DATABASE_APP_URL;
}
