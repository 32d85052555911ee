/**
 * `node dist/seed.js <directory>`: puts the business that a directory describes into the database. May be run
 * again at any time.
 *
 *   DATABASE_APP_URL      Postgres URL of the app role; a tenant is made from inside itself, so it is enough
 *   PLINTH_DEMO_API_KEY   the API key that the business's back end will use
 *   and what the files name as ${VARIABLE}
 */
import { runSeed } from './tenants/run-seed.js';

const { lines, failed } = await runSeed(process.argv[2], process.env);
for (const line of lines) (failed ? console.error : console.log)(line);
process.exitCode = failed ? 1 : 0;
