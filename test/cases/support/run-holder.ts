import { type PlinthUnderTest, type ServerProcess, until } from '@plinth/testkit/system';
import pg from 'pg';

/** Runs one statement on the test's database as its owner. */
export async function query<Row extends pg.QueryResultRow>(
  adminUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** The worker process that took the run of this id, or of this message, last; the first worker while none has. */
export async function holderOf(
  { workers }: PlinthUnderTest,
  adminUrl: string,
  id: string,
): Promise<ServerProcess> {
  const sql = 'SELECT lease_owner AS owner FROM run WHERE id = $1 OR message_id = $1';
  const [run] = await query<{ owner: string | null }>(adminUrl, sql, [id]);
  // `<host>:<process id>:<random>`, as the worker names itself.
  const pid = Number(run?.owner?.split(':').at(-2));
  const holder =
    workers.find((worker) => worker.pid === pid) ?? workers.find((worker) => worker.pid !== undefined);
  if (!holder) throw new Error('no worker runs');
  return holder;
}

/**
 * SIGKILLs the worker that works on the run, at once: all workers are held still until it is known which it is.
 * Returns it.
 */
export async function killHolder(
  plinth: PlinthUnderTest,
  adminUrl: string,
  id: string,
): Promise<ServerProcess> {
  const [only] = plinth.workers;
  if (plinth.workers.length === 1 && only) {
    await only.stop('SIGKILL');
    return only;
  }
  for (const worker of plinth.workers) worker.signal('SIGSTOP');
  try {
    const holder = await holderOf(plinth, adminUrl, id);
    await holder.stop('SIGKILL');
    return holder;
  } finally {
    for (const worker of plinth.workers) worker.signal('SIGCONT');
  }
}

/** Like `until`, while processes are down: a refused connection means "not yet". */
export function eventually<T>(
  what: string,
  look: () => Promise<T>,
  timeoutMs: number,
): ReturnType<typeof until<T | null>> {
  return until<T | null>(what, () => look().catch(() => null), timeoutMs);
}
