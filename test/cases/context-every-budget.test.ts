import type { JsonObject, ThreadView } from '@plinth/protocol';
import type { PlinthUnderTest } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { type AgentRequest, expectWholeUnits, playAgent } from './support/agent-requests.js';
import { onEveryTopology } from './support/on-plinth.js';
import { jobTool } from './support/tools.js';

const CALLS = 7;
const ROOMY_TOKENS = 60_000;
const MOST_BYTES_A_TOKEN = 8;
/** About 80 tokens each: too short for a note to save anything, so that only leaving helps. */
const SHORT = (subject: string) => ({ [subject]: 'Left with the neighbour on the second floor. '.repeat(6) });
/** About 300,000 tokens in one text, which no sampling of lists makes shorter. */
const LONG = 'Delivered to the neighbour on the second floor, who was not amused. '.repeat(21_500);

const getArtifact: JsonObject = { key: 'get_artifact', executor: { kind: 'builtin', name: 'get_artifact' } };

/** Publishes the agent of the test once more, with so large a window. @returns its key */
async function agentWithin(
  plinth: PlinthUnderTest,
  windowTokens: number,
  maxOutputTokens = 200,
): Promise<string> {
  const key = `within-${windowTokens}-${maxOutputTokens}`;
  await plinth.backend.call('PUT', `/v1/agents/${key}`, {
    name: key,
    instructions: 'You are the agent of a test.',
    tools: ['lookup', 'get_artifact'],
    config: {
      model: { name: 'gpt-4o', maxOutputTokens },
      context: { endpoint: { windowTokens }, summary: { enabled: false } },
    },
  });
  return key;
}

const everyBudget = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);

async function aFewAtOnce<T>(
  atOnce: number,
  budgets: number[],
  run: (windowTokens: number) => Promise<T>,
): Promise<T[]> {
  const ended: T[] = [];
  for (let from = 0; from < budgets.length; from += atOnce)
    ended.push(...(await Promise.all(budgets.slice(from, from + atOnce).map(run))));
  return ended;
}

const resultsIn = ({ messages }: AgentRequest): number =>
  messages.filter(({ role }) => role === 'tool').length;
const resultsOf = (request: AgentRequest | undefined) =>
  request
    ? request.messages.flatMap(({ role, content }) =>
        role === 'tool' && typeof content === 'string' ? [{ content }] : [],
      )
    : [];
const question = (windowTokens: number) => `And within ${windowTokens} tokens?`;
const asking = (requests: AgentRequest[], text: string) =>
  requests.filter(({ messages }) => messages.some(({ content }) => content === text));

onEveryTopology(
  'every budget',
  (jobs) => [jobTool('lookup', jobs), getArtifact],
  (use) => {
    it('C2: at every budget an answer is in the request with all of its seven results, or not at all', async () => {
      const { plinth } = use();
      plinth.jobs.react = async (dispatch) => {
        const { subject } = dispatch.arguments as { subject: string };
        await plinth.jobs.finish(dispatch, { status: 'succeeded', result: SHORT(subject) });
        return { status: 202, body: { accepted: true } };
      };
      const calls = Array.from({ length: CALLS }, (_, n) => ({
        name: 'lookup',
        arguments: { subject: `tea ${n}` },
      }));
      playAgent(plinth.sim, [{ toolCalls: calls }, { text: 'All looked up.' }]);
      const ada = await plinth.session();
      const agent = await agentWithin(plinth, ROOMY_TOKENS);
      const run = await ada.start('Look all seven up.', { agent });
      expect(await ada.ended(run.messageId, 60_000)).toMatchObject({ status: 'completed' });

      const watched = playAgent(plinth.sim, [{ text: 'Yes.' }]);
      const budgets = everyBudget(1_000, 2_200, 20);
      const statuses = await aFewAtOnce(6, budgets, async (windowTokens) => {
        const within = await agentWithin(plinth, windowTokens);
        const { messageId } = run;
        const path = `/v1/threads/${run.threadId}/fork`;
        const { id: threadId } = await ada.call<ThreadView>('POST', path, { messageId });
        const asked = await ada.start(question(windowTokens), { agent: within, threadId });
        return (await ada.ended(asked.messageId, 60_000)).status;
      });
      expect(new Set(statuses)).toEqual(new Set(['completed']));
      const requests = watched.agent();
      expect(requests.map(({ status }) => status)).toEqual(budgets.map(() => 200));
      for (const request of requests) {
        expectWholeUnits(request);
        // Behind the instructions a person speaks first, whatever has left.
        expect(request.messages[1]?.role).toBe('user');
      }
      expect([...new Set(requests.map(resultsIn))].sort()).toEqual([0, CALLS]);
    });

    it('C3: at every budget the model reads of three results of 300,000 tokens where all of each is, or the run ends as unfit', async () => {
      const { plinth } = use();
      plinth.jobs.react = async (dispatch) => {
        await plinth.jobs.finish(dispatch, { status: 'succeeded', result: LONG });
        return { status: 202, body: { accepted: true } };
      };
      const calls = ['black', 'green', 'white'].map((tea) => ({
        name: 'lookup',
        arguments: { subject: tea },
      }));
      const watched = playAgent(plinth.sim, [{ toolCalls: calls }, { text: 'I know where they are.' }]);
      const ada = await plinth.session();
      const budgets = [...everyBudget(1_000, 1_800, 50), 3_000, 6_000, 9_000];
      const runs = await aFewAtOnce(2, budgets, async (windowTokens) => {
        const agent = await agentWithin(plinth, windowTokens, 700);
        const started = await ada.start(question(windowTokens), { agent });
        return { ...started, windowTokens, ended: await ada.ended(started.messageId, 60_000) };
      });

      const outcomes: string[] = [];
      for (const { windowTokens, runId, ended } of runs) {
        const [, second, ...others] = asking(watched.agent(), question(windowTokens));
        expect(others).toEqual([]);
        if (ended.status === 'failed') {
          expect(ended.error).toMatchObject({
            code: 'context_unfit',
            message: expect.stringMatching(/[\d,]+ tokens .* takes [\d,]+\./),
          });
          expect(await ada.run(runId)).toMatchObject({ reason: 'context_unfit' });
          expect(second).toBeUndefined();
          outcomes.push('unfit');
          continue;
        }
        expect(ended.status).toBe('completed');
        expect(second && resultsIn(second)).toBe(3);
        for (const [index, { content = '' }] of resultsOf(second).entries())
          expect(content).toContain(`artifact ${ended.calls[index]?.artifactIds[0]}, read it with`);
        expect(second?.sizeBytes).toBeLessThan(windowTokens * MOST_BYTES_A_TOKEN);
        outcomes.push(String(resultsOf(second)[0]?.content).includes('taken out') ? 'note' : 'excerpt');
      }
      // The smaller the window, the less of it; and each of the three ways was needed.
      const order = ['unfit', 'note', 'excerpt'];
      expect([...new Set(outcomes)]).toEqual(order);
      expect(outcomes).toEqual([...outcomes].sort((a, b) => order.indexOf(a) - order.indexOf(b)));

      const [unfit] = runs;
      const agent = await agentWithin(plinth, 3_000);
      const next = await ada.start('And now?', { agent, threadId: unfit?.threadId ?? '' });
      expect(await ada.ended(next.messageId, 60_000)).toMatchObject({ status: 'completed' });
    });
  },
);
