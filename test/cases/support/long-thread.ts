import type { ApiClient } from '@plinth/testkit/system';
import { query } from './run-holder.js';

/**
 * A thread in which people have talked for long. The first exchange is a real run; the rest is written into the ledger
 * as copies of it, since hundreds of runs would take minutes. The copied questions differ, so that they do not compress
 * to nothing.
 *
 * @param messages how many messages there are before the next one: questions and answers of about 600 bytes
 * @param play sets the script for the first exchange
 */
export async function longThread(
  who: ApiClient,
  adminUrl: string,
  messages: number,
  play: () => void,
): Promise<string> {
  play();
  const run = await who.start('A question of sixty characters, or a few more. '.repeat(13));
  await who.ended(run.messageId);
  await query(
    adminUrl,
    `INSERT INTO message (tenant_id, id, thread_id, end_user_id, parent_id, role, visibility, text, run_id, created_at)
     SELECT m.tenant_id, m.thread_id || '-' || n, m.thread_id, m.end_user_id,
            CASE WHEN n = 3 THEN $2 ELSE m.thread_id || '-' || (n - 1) END,
            m.role, m.visibility,
            CASE WHEN m.text IS NOT NULL THEN (SELECT string_agg(md5(n || '.' || k), ' ') FROM generate_series(1, 18) k) END,
            m.run_id, m.created_at
       FROM generate_series(3, $3::int) n
       JOIN message m ON m.id = CASE WHEN n % 2 = 1 THEN $1 ELSE $2 END`,
    [run.userMessageId, run.messageId, messages],
  );
  await query(adminUrl, `UPDATE thread SET head_message_id = id || '-' || $2::int WHERE id = $1`, [
    run.threadId,
    messages,
  ]);
  return run.threadId;
}

/** Bytes of the rows that this run has in Postgres: its own, its turns, calls and interrupts. */
export async function rowBytes(adminUrl: string, runId: string): Promise<number> {
  const sumOf = (table: string, key: string) =>
    `(SELECT coalesce(sum(pg_column_size(x.*)), 0) FROM ${table} x WHERE ${key} = $1)`;
  const parts = [
    sumOf('run', 'id'),
    ...['turn', 'tool_call', 'interrupt'].map((table) => sumOf(table, 'run_id')),
  ];
  const [row] = await query<{ bytes: string }>(adminUrl, `SELECT ${parts.join(' + ')} AS bytes`, [runId]);
  return Number(row?.bytes);
}

/**
 * Puts other text into every row of a parked run's past: the conversation before it, and the turns whose calls have
 * all ended. Whoever reads one of them from the ledger has the text in what he makes of it.
 */
export async function overwritePast(
  adminUrl: string,
  { threadId, runId }: { threadId: string; runId: string },
  text: string,
): Promise<void> {
  const past = `run_id IN (SELECT id FROM run WHERE thread_id = $1)`;
  const waiting = `(SELECT max(index) FROM turn WHERE run_id = $2)`;
  const answer = JSON.stringify({ role: 'assistant', content: text });
  await query(adminUrl, 'UPDATE message SET text = $2 WHERE thread_id = $1 AND text IS NOT NULL', [
    threadId,
    text,
  ]);
  await query(
    adminUrl,
    `UPDATE turn SET assistant_raw = $3 WHERE ${past} AND (run_id <> $2 OR index < ${waiting})`,
    [threadId, runId, answer],
  );
  await query(
    adminUrl,
    `UPDATE tool_call SET result_text = $3 WHERE ${past} AND (run_id <> $2 OR turn_index < ${waiting})`,
    [threadId, runId, text],
  );
}
