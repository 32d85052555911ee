import { scripted } from '@plinth/model-sim';
import type { StartRunResponse } from '@plinth/protocol';
import { type ApiClient, type Dispatch, type JobService, until } from '@plinth/testkit/system';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { type Case, onEveryTopology } from './support/on-plinth.js';
import { eventually, killHolder, query } from './support/run-holder.js';
import { jobTool } from './support/tools.js';

const job = (name: string) => ({ name, arguments: { subject: 'tea' } });
const calls = { text: 'One moment.', toolCalls: [job('charge'), job('lookup')] };
const NEXT = 'and now?';

const tools = (jobs: string) => [jobTool('charge', jobs), jobTool('lookup', jobs, { idempotent: true })];

/** Tells of every event of this platform, at the moment at which it stands in its log. */
async function onEveryEvent(
  { redis, adminUrl }: Case,
  hear: (event: { messageId: string; type: string }) => void,
): Promise<() => void> {
  const [tenant] = await query<{ id: string }>(adminUrl, `SELECT id FROM tenant WHERE key = 'acme'`);
  const subscriber = new Redis(redis.options);
  await subscriber.psubscribe(`plinth:{msg:*}:${tenant?.id}:live`);
  subscriber.on('pmessage', (_pattern, _channel, text: string) =>
    hear(JSON.parse(text.slice(text.indexOf(' ') + 1))),
  );
  return () => subscriber.disconnect();
}

/** A job service as it should be: it brings its result while the run waits, and goes on trying when nobody listens. */
async function bringResult(ada: ApiClient, jobs: JobService, dispatch: Dispatch): Promise<void> {
  const waits = async () => !['queued', 'running'].includes((await ada.run(dispatch.runId)).status);
  await eventually(`the wait for ${dispatch.path}`, waits, 120_000);
  const isTaken = async () => [200, 404, 409].includes((await jobs.finish(dispatch)).status);
  await eventually(`somebody who takes the result of ${dispatch.path}`, isTaken, 120_000);
}

onEveryTopology('a worker that dies', tools, (use, topology) => {
  it('E5: killed at each event and dispatch of a turn with two jobs, the run ends well, and no call is lost or made twice', {
    timeout: 900_000,
  }, async () => {
    const current = use();
    const { plinth, adminUrl } = current;
    plinth.sim.setScenarios([
      scripted([{ text: 'Fine.' }], {
        matches: ({ messages }) => messages.findLast(({ role }) => role === 'user')?.content === NEXT,
      }),
      scripted([calls, { text: 'Done.' }]),
    ]);
    const ada = await plinth.session();
    const runs: StartRunResponse[] = [];
    const results: Promise<void>[] = [];
    let isReachedBy = (_dispatch: Dispatch) => false;
    plinth.jobs.react = async (dispatch) => {
      results.push(bringResult(ada, plinth.jobs, dispatch));
      return isReachedBy(dispatch) ? 'hold' : { status: 202 };
    };

    const counts = new Map<string, number>();
    let heard = (_messageId: string, _type: string) => {};
    const stopListening = await onEveryEvent(current, ({ messageId, type }) => {
      counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
      heard(messageId, type);
    });
    const start = async (key: string) => {
      const run = await eventually(
        'a server that starts the run',
        () => ada.start('charge and look up', { key }),
        120_000,
      );
      if (run) runs.push(run);
      return run?.messageId ?? '';
    };

    const undisturbed = await start('undisturbed');
    await ada.ended(undisturbed, 60_000);
    const events = await until('the last event', () => counts.get(undisturbed), 5000);
    const restarts: Promise<void>[] = [];
    // After its first event, its second, ...; and while each of its jobs has been sent and is not accepted yet.
    const points = [...Array.from({ length: events - 1 }, (_, index) => index + 1), '/charge', '/lookup'];
    for (const point of points) {
      const known = new Set([...counts.keys(), ...runs.map(({ runId }) => runId)]);
      const reached = new Promise<string>((resolve) => {
        heard = (id, type) => {
          const isReached = typeof point === 'number' && (counts.get(id) ?? 0) >= point;
          if (!known.has(id) && (isReached || type === 'run.finished')) resolve(id);
        };
        isReachedBy = ({ path, runId }) => {
          const isReached = path === point && !known.has(runId);
          if (isReached) resolve(runId);
          return isReached;
        };
      });
      const killed = reached.then(async (id) => {
        heard = () => {};
        isReachedBy = () => false;
        const worker = await killHolder(plinth, adminUrl, id);
        // It may be killed again before it is ready: then this start fails, and the next one counts.
        restarts.push(worker.start().catch(() => {}));
        if (topology === 'single') await restarts.at(-1);
      });
      await Promise.all([killed, start(`killed-at-${point}`)]);
    }
    stopListening();
    await Promise.all(restarts);
    for (const worker of plinth.workers) expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);

    for (const { messageId } of runs) {
      expect(await ada.ended(messageId, 120_000)).toMatchObject({
        status: 'completed',
        reason: 'final_answer',
      });
    }
    await Promise.all(results);
    for (const { threadId } of runs) {
      const next = await ada.start(NEXT, { threadId });
      expect((await ada.ended(next.messageId, 60_000)).reason).toBe('final_answer');
    }
    expect(
      plinth.sim.requests
        .map(({ status }) => status)
        .filter((status) => status !== 200 && status !== undefined),
    ).toEqual([]);
    const sent = (runId: string, path: string) =>
      plinth.jobs.dispatches.filter((one) => one.runId === runId && one.path === path);
    for (const { runId } of runs) {
      expect(sent(runId, '/charge').length, `charges of ${runId}`).toBeLessThanOrEqual(1);
      expect(
        new Set(sent(runId, '/lookup').map(({ idempotencyKey }) => idempotencyKey)).size,
        `look-ups of ${runId}`,
      ).toBe(1);
    }
  });
});
