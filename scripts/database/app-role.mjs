/**
 * The role that serves requests. Row-level security binds it: it is no superuser, may not bypass policies,
 * and owns nothing. Migrations grant to it, so it must exist before they run.
 *
 * The admin may be a superuser, or just the owner of the database with CREATEROLE.
 */
import { SetupProblem } from '../lib/problem.mjs';
import { urlAs, withConnection } from './connection.mjs';

export const APP_ROLE = 'plinth_app';
const ROLE_LOCK = 7_215_001;

/** Creates or updates the role and returns the URL under which the server connects. */
export async function ensureAppRole({ adminUrl, password }) {
  const appUrl = urlAs(adminUrl, APP_ROLE, password);
  await withConnection(adminUrl, async (client) => {
    // Roles belong to the whole cluster: two starts at once would collide on its catalogue.
    await client.query('SELECT pg_advisory_lock($1)', [ROLE_LOCK]);
    const role = await readRole(client);
    if (role && !role.too_strong && (await canConnect(appUrl))) return;
    try {
      if (role) await updateRole(client, role, password);
      else
        await client.query(
          `CREATE ROLE ${APP_ROLE} ${attributes()} PASSWORD ${client.escapeLiteral(password)}`,
        );
    } catch (error) {
      throw new SetupProblem(
        `The role ${APP_ROLE} could not be ${role ? 'updated' : 'created'}: ${error.message}.\n` +
          '  The user of DATABASE_URL must be a superuser, or own the database and have CREATEROLE;\n' +
          '  or create the role yourself and set DATABASE_APP_URL.',
      );
    }
    await client.query(`GRANT CONNECT ON DATABASE ${await quotedDatabase(client)} TO ${APP_ROLE}`);
  });
  return appUrl;
}

const attributes = () => 'LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION INHERIT';

async function readRole(client) {
  const { rows } = await client.query(
    `SELECT rolcanlogin, rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR rolreplication AS too_strong
       FROM pg_roles WHERE rolname = $1`,
    [APP_ROLE],
  );
  return rows[0];
}

const canConnect = (url) => withConnection(url, async () => true).catch(() => false);

/** Only what is wrong is named: merely naming SUPERUSER or BYPASSRLS takes a superuser. */
async function updateRole(client, role, password) {
  if (role.too_strong) await client.query(`ALTER ROLE ${APP_ROLE} ${attributes()}`);
  if (!role.rolcanlogin) await client.query(`ALTER ROLE ${APP_ROLE} LOGIN`);
  await client.query(`ALTER ROLE ${APP_ROLE} PASSWORD ${client.escapeLiteral(password)}`);
}

async function quotedDatabase(client) {
  const { rows } = await client.query('SELECT quote_ident(current_database()) AS name');
  return rows[0].name;
}
