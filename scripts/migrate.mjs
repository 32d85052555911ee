/**
 * `npm run migrate`: brings the database of DATABASE_URL up to date. The user in that URL is the admin, who
 * owns the tables; the server itself connects as the role `plinth_app`.
 */
import { runAsCommand } from './lib/command.mjs';

/** Applies every migration that `adminUrl` does not have yet; returns their names. */
export async function migrate({ adminUrl, log }) {
  const { applyMigrations } = await import('./database/apply-migrations.mjs');
  return applyMigrations({ adminUrl, log });
}

/** Creates or updates the role `plinth_app`, needed before migrating; returns the URL the server uses. */
export async function ensureAppRole({ adminUrl, password }) {
  const appRole = await import('./database/app-role.mjs');
  return appRole.ensureAppRole({ adminUrl, password });
}

runAsCommand(import.meta, async () => {
  const log = (line) => console.log(line);
  const adminUrl = process.env.DATABASE_URL;
  if (!adminUrl) {
    const { SetupProblem } = await import('./lib/problem.mjs');
    throw new SetupProblem('Set DATABASE_URL to the database to migrate ("npm start" migrates its own).');
  }
  const { ensureInstalled } = await import('./setup/install.mjs');
  await ensureInstalled({ log });
  const { dataDirectory } = await import('./lib/paths.mjs');
  const { loadSecrets } = await import('./lib/secrets.mjs');
  const { ensureAppUrl } = await import('./database/app-url.mjs');
  await ensureAppUrl({ adminUrl, readSecrets: () => loadSecrets(dataDirectory()) });
  const applied = await migrate({ adminUrl, log });
  if (applied.length === 0) log('The database is up to date.');
});
