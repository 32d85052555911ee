import { type Reply, scripted } from '@plinth/model-sim';
import type { JsonObject, MessageView, StartRunResponse } from '@plinth/protocol';
import { type OddMcpHttp, startOddMcpHttp, until } from '@plinth/testkit/system';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { isRunning, oddStdio } from '../mcp/mcp-fixture.js';
import { withPlinth } from './with-plinth.js';

type Fault = Parameters<typeof oddStdio>[1];
const server = (name: string, timeoutMs: number, ...faults: Fault[]): JsonObject => ({
  description: `Server ${name}.`,
  timeoutMs,
  transport: oddStdio(name, ...faults),
});
const SERVERS: Record<string, JsonObject> = {
  odd: server('odd', 20_000),
  hasty: server('hasty', 400),
  mute: server('mute', 400, 'mute'),
  yesterday: server('yesterday', 5_000, 'wrong_version'),
  listless: server('listless', 5_000, 'bad_list'),
  endless: server('endless', 20_000, 'endless_list'),
  stubborn: server('stubborn', 20_000, 'stays'),
  gone: { description: 'Server gone.', transport: { kind: 'stdio', command: '/no/such/program' } },
};
const TOOLS = ['echo', 'slow', 'steps', 'crash', 'huge', 'refuse', 'wrong', 'rpc_error', 'products', 'pid'];
const imported = ['odd', 'hasty', 'mute', 'stubborn'].flatMap((from) =>
  TOOLS.map(
    (tool): JsonObject => ({
      key: `${from}_${tool}`,
      title: `${from} ${tool}`,
      description: `Does ${tool}.`,
      parameters: { type: 'object', properties: {} },
      executor: { kind: 'mcp', server: from, tool },
    }),
  ),
);
const mcp = Object.keys(SERVERS).map((name) => ({
  server: name,
  mode: 'directory',
  requireConfirmation: 'never',
}));
const plinth = withPlinth({}, () => imported, SERVERS, mcp);

let remote: OddMcpHttp;
beforeAll(async () => {
  remote = await startOddMcpHttp('remote');
});
afterAll(() => remote.close());
beforeEach(() => plinth().sim.clearRequests());

const call = (name: string, values: JsonObject = {}): Reply => ({ toolCalls: [{ name, arguments: values }] });

/** Plays one turn of calls and a last one with words. Returns what the model read of the first call. */
async function play(step: Reply): Promise<{ view: MessageView; read: string }> {
  const { sim, session } = plinth();
  sim.setScenarios([scripted([step, { text: 'Done.' }])]);
  const ada = await session('ada');
  const run = await ada.start('go');
  const view = await ada.ended(run.messageId, 30_000);
  const { messages } = JSON.parse(sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string }[];
  };
  return { view, read: messages.find(({ role }) => role === 'tool')?.content ?? '' };
}

it.each<{ fault: string; step: Reply; code: string; says: RegExp }>([
  {
    fault: 'dies in a call',
    step: call('odd_crash'),
    code: 'connection_lost',
    says: /has gone away.*not known/,
  },
  { fault: 'is too slow', step: call('hasty_slow'), code: 'timed_out', says: /no answer in time/ },
  {
    fault: 'never begins the session',
    step: call('mute_echo'),
    code: 'unavailable',
    says: /Do not retry now/,
  },
  {
    fault: 'answers nonsense',
    step: call('odd_wrong'),
    code: 'invalid_output',
    says: /protocol does not know/,
  },
  {
    fault: 'says far too much',
    step: call('odd_huge', { bytes: 20_000_000 }),
    code: 'result_too_large',
    says: /Ask for less/,
  },
  { fault: 'refuses', step: call('odd_refuse'), code: 'remote_error', says: /out of paper/ },
  {
    fault: 'refuses the arguments',
    step: call('odd_rpc_error'),
    code: 'invalid_arguments',
    says: /Correct the arguments/,
  },
  ...[
    { from: 'mute', code: 'unavailable', says: /Do not retry now/ },
    { from: 'yesterday', code: 'unavailable', says: /protocol version/ },
    { from: 'gone', code: 'unavailable', says: /could not be started/ },
    { from: 'listless', code: 'invalid_output', says: /protocol does not know/ },
    { from: 'endless', code: 'invalid_output', says: /without end/ },
  ].map(({ from, ...rest }) => ({
    fault: `is ${from} when its tools are listed`,
    step: call('mcp_list_tools', { server: from }),
    ...rest,
  })),
])(
  'a server that $fault costs a call and not the run: the model reads what happened and what to do',
  async (rule) => {
    const { view, read } = await play(rule.step);
    const status = ['connection_lost', 'timed_out'].includes(rule.code) ? 'unknown' : 'failed';
    expect(view).toMatchObject({
      status: 'completed',
      reason: 'final_answer',
      calls: [{ status, error: { code: rule.code } }],
    });
    expect(JSON.parse(read)).toMatchObject({
      status,
      error: { code: rule.code, message: expect.stringMatching(rule.says) },
    });
  },
);

it('what a tool makes is an artifact, its structured value the result, and its progress is shown', async () => {
  const { view, read } = await play({ toolCalls: [{ name: 'odd_products', arguments: {} }] });
  expect(view.artifacts.map(({ title, kind }) => [title, kind])).toEqual([
    ['products-2.png', 'image'],
    ['plan.md', expect.anything()],
  ]);
  expect(JSON.parse(read)).toMatchObject({ result: { made: 2 }, artifacts: [{ kind: 'image' }, {}] });

  plinth().sim.setScenarios([scripted([call('odd_steps'), { text: 'Done.' }])]);
  const ada = await plinth().session('ada');
  const run = await ada.start('go');
  const entries = await ada.stream(run.messageId);
  expect(entries.filter(({ type }) => type === 'tool.progress')).toMatchObject([
    { progress: 0.25, message: 'a quarter' },
  ]);
});

it('a long result is kept whole as an artifact, and the model reads a part that says so', async () => {
  const { view, read } = await play(call('odd_huge', { bytes: 500_000 }));
  expect(view).toMatchObject({
    reason: 'final_answer',
    artifacts: [{ title: 'odd_huge.txt', sizeBytes: 500_000 }],
  });
  expect(read.length).toBeLessThan(60_000);
});

it('a cancelled run cancels its call at the server', async () => {
  const executor = { kind: 'mcp', server: 'remote', tool: 'slow' };
  const slow: JsonObject = { ...imported[0], key: 'remote_slow', executor };
  const other = await plinth().addBusiness({ key: 'initech', tools: [slow] });
  await other.call('PUT', '/v1/mcp-servers/remote', {
    description: 'A remote one.',
    transport: { kind: 'streamable_http', url: remote.url },
  });
  plinth().sim.setScenarios([scripted([call('remote_slow'), { text: 'Done.' }])]);
  const run = await other.call<StartRunResponse>('POST', '/v1/runs', {
    agent: 'tester',
    input: { text: 'go' },
    endUserId: 'ada',
  });
  await until('the call has come', () => remote.server.calls.length === 1);
  await other.call('POST', `/v1/runs/${run.runId}/cancel`);
  await until('the server hears of it', () => remote.server.cancelled.includes('slow'));
  expect(await other.ended(run.messageId)).toMatchObject({ status: 'cancelled' });
});

const pidOf = async (tool: string) =>
  Number((JSON.parse((await play(call(tool))).read) as { result: string }).result);

it('a worker that is killed takes its processes with it: they see the end of their input', async () => {
  const pid = await pidOf('odd_pid');
  expect(isRunning(pid)).toBe(true);
  const [worker] = plinth().workers;
  await worker?.stop('SIGKILL');
  await until('the process is gone', () => !isRunning(pid));
  await worker?.start();
}, 60_000);

it('a worker that ends in order leaves no process behind, not even one that wants to stay', async () => {
  const pids = [await pidOf('odd_pid'), await pidOf('stubborn_pid')];
  expect(pids.every(isRunning)).toBe(true);
  const [worker] = plinth().workers;
  await worker?.stop('SIGTERM');
  expect(pids.filter(isRunning)).toEqual([]);
  await worker?.start();
}, 60_000);

it("a server gets the tenant's secret; without it the call says which one is missing", async () => {
  const other = await plinth().addBusiness({
    key: 'umbrella',
    tools: [{ ...imported[0], key: 'ask_remote', executor: { kind: 'mcp', server: 'remote', tool: 'echo' } }],
  });
  await other.call('PUT', '/v1/mcp-servers/remote', {
    description: 'A remote one.',
    transport: {
      kind: 'streamable_http',
      url: remote.url,
      auth: { kind: 'bearer', token: '{{secrets.REMOTE_TOKEN}}' },
    },
  });
  plinth().sim.setScenarios([scripted([call('ask_remote', { text: 'x' }), { text: 'Done.' }])]);
  const start = () =>
    other.call<StartRunResponse>('POST', '/v1/runs', {
      agent: 'tester',
      input: { text: 'go' },
      endUserId: 'ada',
    });
  const without = await other.ended((await start()).messageId);
  expect(without.calls[0]?.error).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('needs the secret "REMOTE_TOKEN"'),
  });
  await other.call('PUT', '/v1/secrets/REMOTE_TOKEN', { value: 'a-token-of-umbrella' });
  const answered = await until('a call succeeds', async () => {
    const view = await other.ended((await start()).messageId);
    return view.calls[0]?.status === 'succeeded' ? view : null;
  });
  expect(JSON.stringify(answered)).not.toContain('a-token-of-umbrella');
  expect(remote.headers.at(-1)).toMatchObject({ authorization: 'Bearer a-token-of-umbrella' });
});
