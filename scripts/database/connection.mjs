/** One connection to Postgres for as long as a piece of work needs it. */
import pg from 'pg';
import { SetupProblem } from '../lib/problem.mjs';

export async function withConnection(url, use) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new SetupProblem(
      `Cannot connect to Postgres at ${withoutPassword(url)}: ${error.message || error.code}`,
    );
  }
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The same database under another role. */
export function urlAs(url, user, password) {
  const parsed = new URL(url);
  parsed.username = encodeURIComponent(user);
  parsed.password = encodeURIComponent(password);
  return parsed.toString();
}

/** Another database of the same server, under the same role. */
export function urlOfDatabase(url, database) {
  const parsed = new URL(url);
  parsed.pathname = `/${encodeURIComponent(database)}`;
  return parsed.toString();
}

export function withoutPassword(url) {
  try {
    const parsed = new URL(url);
    if (parsed.password) parsed.password = '***';
    return parsed.toString();
  } catch {
    return '(not a URL)';
  }
}
