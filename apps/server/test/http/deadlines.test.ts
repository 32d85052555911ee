import pg from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { askingModel, withPlinth } from './with-plinth.js';

const plinth = withPlinth({ PLINTH_SWEEP_MS: '200' });
beforeEach(() => plinth().sim.setScenarios([askingModel]));

/** Seconds until the run's time is over, and what lets it be over. */
async function atDeadline(runId: string): Promise<{ seconds: number; pass: () => Promise<void> }> {
  const inDatabase = async (sql: string) => {
    const client = new pg.Client({ connectionString: plinth().adminUrl });
    await client.connect();
    try {
      return (await client.query(sql, [runId])).rows;
    } finally {
      await client.end();
    }
  };
  const [row] = await inDatabase(
    'SELECT extract(epoch FROM deadline_at - created_at)::int AS seconds FROM run WHERE id = $1',
  );
  const pass = async () => void (await inDatabase('UPDATE run SET deadline_at = now() WHERE id = $1'));
  return { seconds: row.seconds, pass };
}

it('a run that waits gets its time from the configuration at its start, and ends when it has passed', async () => {
  const { backend, session } = plinth();
  const values = { budgets: { maxRunSeconds: 7200 } };
  await backend.call('PUT', '/v1/config', { expectedRevision: 1, values, reason: 'a test of deadlines' });
  const ada = await session('ada');
  const run = await ada.start('hello');
  const form = await ada.parkedOn(run.messageId, 'ask');
  const { seconds, pass } = await atDeadline(run.runId);
  expect(seconds).toBe(7200);

  await pass();
  expect(await ada.ended(run.messageId)).toMatchObject({
    status: 'failed',
    reason: 'budget_time',
    interrupts: [{ state: 'closed' }],
  });
  await expect(ada.answer(form.id, { type: 'submit', value: { answer: 'late' } })).rejects.toMatchObject({
    problem: { code: 'interrupt_closed' },
  });
  const next = await ada.start('again', { threadId: run.threadId });
  expect(await ada.parkedOn(next.messageId, 'ask')).toMatchObject({ state: 'open' });
});
