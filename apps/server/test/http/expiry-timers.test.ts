import { scripted } from '@plinth/model-sim';
import { expect, it } from 'vitest';
import { object, withPlinth } from './with-plinth.js';

/** The sweeper looks once a minute: what comes at its time comes by a timer. */
const plinth = withPlinth({ PLINTH_SWEEP_MS: '60000' }, () => [
  {
    key: 'hurry',
    title: 'Hurry',
    description: 'Asks the person, who has two seconds.',
    parameters: object({}),
    executor: { kind: 'component', component: 'Hurry', submit: object({}) },
    waitTimeoutSeconds: 2,
  },
]);

const asking = (name: string, values: Record<string, string> = {}) =>
  scripted([{ toolCalls: [{ name, arguments: values }] }, { text: 'Thanks.' }]);

it('a wait of two seconds expires within about a second of its time, although nobody sweeps', async () => {
  const { session, sim } = plinth();
  sim.setScenarios([asking('hurry')]);
  const ada = await session('ada');
  const run = await ada.start('hello');
  const { expiresAt } = await ada.parkedOn(run.messageId, 'hurry');
  const entries = await ada.stream(run.messageId);
  const closed = entries.find((entry) => entry.type === 'interrupt.closed');
  if (closed?.type !== 'interrupt.closed') throw new Error('the wait was not closed');
  const late = Date.parse(closed.at) - Date.parse(expiresAt ?? '');
  console.log(`the wait was closed ${late} ms after its time`);
  expect(closed.why).toBe('expired');
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(1_500);
  expect(await ada.ended(run.messageId)).toMatchObject({
    reason: 'final_answer',
    calls: [{ status: 'expired' }],
  });
});

it('a timer outlives the process: a run whose time passes after a crash ends at its time', async () => {
  const { backend, session, sim, servers } = plinth();
  const values = { budgets: { maxRunSeconds: 30 } };
  await backend.call('PUT', '/v1/config', { expectedRevision: 1, values, reason: 'a test of deadlines' });
  sim.setScenarios([asking('ask', { question: 'Why?' })]);
  const ada = await session('ada');
  const deadline = Date.now() + 30_000;
  const run = await ada.start('hello');
  await ada.parkedOn(run.messageId, 'ask');
  await servers[0]?.stop('SIGKILL');
  await servers[0]?.start();
  const back = Date.now();
  expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'failed', reason: 'budget_time' });
  const ended = Date.now();
  // A machine under load may take longer to start a process than the run has time.
  const late = ended - Math.max(deadline, back);
  console.log(
    `the process was back after ${back - deadline + 30_000} ms, the run over ${late} ms after its time`,
  );
  expect(ended).toBeGreaterThanOrEqual(deadline);
  expect(late).toBeLessThan(5_000);
}, 90_000);
