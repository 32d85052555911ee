import { type ModelSim, startModelSim } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import {
  answerWithOrders,
  type Dispatch,
  INCIDENT_SCRIPT,
  INCIDENT_TURNS,
  incidentOrders,
  naiveIncidentBody,
  photo,
  picturesIn,
  playIncident,
  prefixShare,
  startWith,
  uploadFile,
} from '@plinth/testkit/system';
import { afterEach, describe, expect, it } from 'vitest';
import { type AgentRequest, playAgent, withoutIds } from './support/agent-requests.js';
import { onEveryTopology, PATIENT_MS } from './support/on-plinth.js';
import { clockTool, jobTool } from './support/tools.js';

const WALL_BYTES = 30 * 1024 * 1024;
const TURNS = 12;

describe('the conversation of 70,000 tokens and 77 MB, sent as it is', { timeout: PATIENT_MS }, () => {
  let sim: ModelSim | undefined;
  afterEach(() => sim?.close());

  it.each([
    ['strict-gateway', 413],
    ['strict-gateway-json', 400],
  ] as const)('is refused by the %s with %i', async (persona, status) => {
    sim = await startModelSim({ persona });
    const body = naiveIncidentBody('gpt-4o');
    expect(Math.round(body.length / 1e6)).toBe(77);
    const answer = await fetch(`${sim.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(status);
  });
});

onEveryTopology(
  'long conversations',
  (jobs) => [jobTool('orders', jobs), clockTool],
  (use) => {
    it('the one of 70,000 tokens and 77 MB is answered turn by turn, and so is the next message', async () => {
      const { plinth } = use();
      plinth.sim.setPersona('strict-gateway');
      answerWithOrders(plinth.jobs);
      const watched = playAgent(plinth.sim, INCIDENT_SCRIPT);
      const ada = await plinth.session();
      const { threadId, statuses } = await playIncident(ada);
      expect(statuses).toEqual(Array<string>(INCIDENT_TURNS).fill('completed'));
      const next = await ada.start('Which of the pictures goes with which day?', { threadId });
      expect(await ada.ended(next.messageId, 60_000)).toMatchObject({ status: 'completed' });

      const requests = watched.agent();
      expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]));
      expect(Math.max(...requests.map(({ sizeBytes }) => sizeBytes))).toBeLessThan(0.8 * WALL_BYTES);
      const last = requests.at(-1);
      expect(last && picturesIn(last)).toHaveLength(5);
      // Far from every wall once the pictures are as the endpoint takes them: nothing has to be made smaller than that.
      const shares = requests
        .slice(1)
        .map((request, index) => prefixShare(requests[index] ?? request, request));
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.95);
    });

    // Twice the conversation.
    it('with all snapshots deleted, while its jobs run and between its turns, every request is the same bytes', {
      timeout: 2 * PATIENT_MS,
    }, async () => {
      const { plinth, redis, parked, dropSnapshot } = use();
      plinth.sim.setPersona('strict-gateway');
      const ada = await plinth.session();
      const sent = new Map<'kept' | 'deleted', AgentRequest[]>();
      for (const snapshots of ['kept', 'deleted'] as const) {
        const isDeleted = snapshots === 'deleted';
        const rebuilds = () => plinth.metric('plinth_resume_total', { source: 'rebuild' });
        const before = await rebuilds();
        let turn = 0;
        const answers: Promise<unknown>[] = [];
        const answer = async (dispatch: Dispatch, result: JsonObject) => {
          const { runId } = dispatch;
          await parked({ runId, messageId: (await ada.run(runId)).messageId });
          if (isDeleted) await dropSnapshot(runId);
          return plinth.jobs.finish(dispatch, { status: 'succeeded', result });
        };
        plinth.jobs.react = async (dispatch) => {
          answers.push(answer(dispatch, incidentOrders(turn)));
          turn += 1;
          return { status: 202, body: { accepted: true } };
        };
        const watched = playAgent(plinth.sim, INCIDENT_SCRIPT);
        const { statuses } = await playIncident(ada, INCIDENT_TURNS, async () => {
          const left = await redis.keys('plinth:{run:*}:*:snapshot');
          if (isDeleted && left.length > 0) await redis.del(...left);
        });
        await Promise.all(answers);
        expect(statuses).toEqual(Array<string>(INCIDENT_TURNS).fill('completed'));
        expect((await rebuilds()) - before).toBe(isDeleted ? INCIDENT_TURNS : 0);
        const requests = watched.agent();
        expect(requests).toHaveLength(2 * INCIDENT_TURNS);
        for (const [index, request] of requests.slice(1).entries())
          expect(prefixShare(requests[index] ?? request, request)).toBe(1);
        sent.set(snapshots, requests);
      }
      const bodiesOf = (requests: AgentRequest[] = []) =>
        requests.map(({ messages, tools }) => withoutIds(JSON.stringify({ messages, tools })));
      expect(bodiesOf(sent.get('deleted'))).toEqual(bodiesOf(sent.get('kept')));
    });

    it('each request begins with at least 95 % of the bytes of the one before it, and the cache of the provider says so', async () => {
      const { plinth } = use();
      plinth.sim.setPersona('openai');
      const watched = playAgent(plinth.sim, [
        { toolCalls: [{ name: 'current_time', arguments: {} }] },
        { text: 'It is about tea. '.repeat(40) },
      ]);
      const ada = await plinth.session();
      let threadId: string | undefined;
      const cached: number[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        const attachments =
          turn % 4 === 1
            ? [{ uploadId: (await uploadFile(ada, photo(400_000, turn), `photo-${turn}.png`)).id }]
            : [];
        const text = `Turn ${turn}. ${'What about the leaves? '.repeat(20)}`;
        const run = await startWith(ada, text, attachments, threadId);
        threadId = run.threadId;
        expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });
        cached.push((await ada.run(run.runId)).usage.cachedInputTokens);
      }
      const requests = watched.agent();
      expect(requests).toHaveLength(2 * TURNS);
      const shares = requests.slice(1).map((request, index) => {
        const before = requests[index];
        return before ? prefixShare(before, request) : 0;
      });
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.95);
      // From 1,024 tokens on every turn is read out of the cache, more of it each time.
      const hits = cached.slice(4);
      expect(Math.min(...hits)).toBeGreaterThan(1024);
      expect(hits).toEqual([...hits].sort((a, b) => a - b));
    });
  },
);
