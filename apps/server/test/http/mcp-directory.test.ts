import { type Reply, scripted } from '@plinth/model-sim';
import type { JsonObject, MessageView } from '@plinth/protocol';
import { type ApiClient, until } from '@plinth/testkit/system';
import { countTokens } from 'gpt-tokenizer';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { oddStdio } from '../mcp/mcp-fixture.js';
import { withPlinth } from './with-plinth.js';

const server = (description: string, ...faults: Parameters<typeof oddStdio>[1][]): JsonObject => ({
  description,
  transport: oddStdio(description.split(' ')[0] ?? 'odd', ...faults),
});
const use = (name: string, requireConfirmation = 'never'): JsonObject => ({
  server: name,
  mode: 'directory',
  requireConfirmation,
});
const plinth = withPlinth(
  {},
  undefined,
  {
    tickets: { ...server('tickets and what belongs to them', 'many'), include: ['*_*'] },
    red: server('red things'),
    blue: server('blue things', 'bad_schemas'),
    careful: server('careful things'),
  },
  [use('tickets'), use('red'), use('blue'), use('careful', 'always')],
);

interface Body {
  messages: { role: string; content: string }[];
  tools: { function: { name: string } }[];
}
const bodies = () => plinth().sim.requests.map(({ raw }) => raw);
const parsed = (raw: string | undefined) => JSON.parse(raw ?? '{}') as Body;
const namesIn = (raw: string | undefined) => parsed(raw).tools.map((tool) => tool.function.name);
const toolsText = (raw: string | undefined) => /"tools":(\[.*\]),"tool_choice"/s.exec(raw ?? '')?.[1] ?? '';
const lastResult = (raw: string | undefined) => parsed(raw).messages.at(-1)?.content ?? '';

const call = (name: string, values: JsonObject = {}): Reply => ({ toolCalls: [{ name, arguments: values }] });
const list = (from: string, more: JsonObject = {}) => call('mcp_list_tools', { server: from, ...more });
const enable = (from: string, ...tools: string[]) => call('mcp_enable_tools', { server: from, tools });

/** Plays these turns; the model then says that it is done. */
async function play(...steps: Reply[]): Promise<{ ada: ApiClient; view: MessageView }> {
  const { sim, session } = plinth();
  sim.setScenarios([scripted([...steps, { text: 'Done.' }])]);
  sim.clearRequests();
  const ada = await session('ada');
  const run = await ada.start('go');
  return { ada, view: await ada.ended(run.messageId, 30_000) };
}

const FIXED = ['ask', 'order', 'mcp_list_tools', 'mcp_enable_tools'];

it('60 tools cost the request next to nothing until they are enabled, and then what was chosen', async () => {
  const names = ['search', 'read', 'create', 'update', 'archive', 'assign', 'comment_on', 'export'].flatMap(
    (deed) =>
      ['ticket', 'customer', 'invoice', 'order', 'shipment', 'contract', 'campaign', 'article'].map(
        (thing) => `${deed}_${thing}`,
      ),
  );
  const { view } = await play(
    list('tickets', { query: 'search ticket' }),
    enable('tickets', 'search_ticket', 'create_ticket'),
    call('tickets_search_ticket', { id: '7' }),
    ...[0, 20, 40].map((from) => enable('tickets', ...names.slice(from, from + 20))),
  );
  expect(view).toMatchObject({ reason: 'final_answer' });
  const [before, , chosen, used, , , all] = bodies();
  expect(namesIn(before)).toEqual(FIXED);
  expect(namesIn(chosen)).toEqual([...FIXED, 'tickets_search_ticket', 'tickets_create_ticket']);
  expect(lastResult(used)).toContain('did search_ticket');

  const directory = countTokens(toolsText(before));
  const everything = countTokens(toolsText(all));
  expect(namesIn(all)).toHaveLength(FIXED.length + 60);
  console.info(`tools of a request: ${directory} tokens with the directory, ${everything} with all 60 tools`);
  expect(directory).toBeLessThan(1_500);
  expect(everything).toBeGreaterThan(10 * directory);
});

it('what was offered stays where it stands: each request begins with the tools of the one before', async () => {
  await play(enable('red', 'echo'), enable('blue', 'pid'), call('red_echo', { text: 'x' }));
  const [first, second, third, fourth] = bodies().map(toolsText);
  expect(second?.startsWith(first?.slice(0, -1) ?? 'nothing')).toBe(true);
  expect(third?.startsWith(second?.slice(0, -1) ?? 'nothing')).toBe(true);
  expect(fourth).toBe(third);
});

it('a tool is refused in the turn that enables it, and in another run; both runs go on', async () => {
  const both = {
    toolCalls: [...(enable('red', 'echo').toolCalls ?? []), { name: 'red_echo', arguments: { text: 'x' } }],
  };
  const { view, ada } = await play(both);
  expect(view).toMatchObject({
    reason: 'final_answer',
    calls: [{ status: 'succeeded' }, { status: 'failed', error: { code: 'unknown_tool' } }],
  });
  plinth().sim.setScenarios([scripted([call('red_echo', { text: 'x' }), { text: 'Done.' }])]);
  const next = await ada.start('again');
  expect(await ada.ended(next.messageId)).toMatchObject({
    reason: 'final_answer',
    calls: [{ error: { code: 'unknown_tool' } }],
  });
});

it('tools of the same name of two servers keep apart, and one that is enabled twice is there once', async () => {
  const { view } = await play(enable('red', 'echo'), enable('blue', 'echo'), enable('red', 'echo', 'pid'), {
    toolCalls: ['red', 'blue'].map((name) => ({ name: `${name}_echo`, arguments: { text: 'hello' } })),
  });
  expect(view).toMatchObject({ reason: 'final_answer' });
  expect(namesIn(bodies().at(-1))).toEqual([...FIXED, 'red_echo', 'blue_echo', 'red_pid']);
  expect(bodies().at(-1)).toContain('red says hello');
  expect(bodies().at(-1)).toContain('blue says hello');
});

it('lists come in pages, with as much of a description as one chooses by', async () => {
  await play(
    list('tickets'),
    list('tickets', { cursor: '20' }),
    list('tickets', { query: 'EXPORT invoice' }),
  );
  const [, first, second, third] = bodies().map((raw) => {
    const result = lastResult(raw);
    return result.startsWith('{')
      ? (JSON.parse(result) as { result: { tools: JsonObject[]; total: number; nextCursor?: string } }).result
      : null;
  });
  expect(first).toMatchObject({ nextCursor: '20' });
  expect(first?.tools).toHaveLength(20);
  expect(second?.tools[0]).not.toEqual(first?.tools[0]);
  expect(third?.tools).toEqual([
    { name: 'export_invoice', description: expect.stringMatching(/^Lets you.{140,155}…$/) },
  ]);
});

it('names that are not there and schemas that are no good are refused with a reason, the others enabled', async () => {
  await play(enable('blue', 'echo', 'nothing', 'takes_a_list'), enable('blue', 'nothing'));
  const [, mixed, none] = bodies().map(lastResult);
  expect(JSON.parse(mixed ?? '{}')).toMatchObject({
    result: {
      enabled: [{ tool: 'echo', name: 'blue_echo' }],
      refused: [
        { tool: 'nothing', why: expect.stringContaining('use a listed name') },
        { tool: 'takes_a_list', why: expect.stringContaining('must be "object"') },
      ],
    },
  });
  expect(JSON.parse(none ?? '{}')).toMatchObject({ status: 'failed', error: { code: 'invalid_arguments' } });
});

it('a list that its server changes is read again', async () => {
  await play(
    list('red', { query: 'came later' }),
    enable('red', 'add_tool'),
    call('red_add_tool', { name: 'late' }),
    list('red', { query: 'came later' }),
  );
  expect(lastResult(bodies()[1])).toContain('"total":0');
  expect(lastResult(bodies().at(-1))).toContain('"name":"late"');
});

it('an enabled tool waits for a person, and the run sends the same tools with its snapshot or without', async () => {
  const { sim, session, redisUrl } = plinth();
  sim.setScenarios([
    scripted([enable('careful', 'echo'), call('careful_echo', { text: 'now' }), { text: 'Done.' }]),
  ]);
  const ada = await session('ada');
  const redis = new Redis(redisUrl);
  const rebuilt = () => plinth().metric('plinth_resume_total', { source: 'rebuild' });
  try {
    for (const lose of [false, true]) {
      sim.clearRequests();
      const before = await rebuilt();
      const run = await ada.start('go');
      const wait = await ada.parkedOn(run.messageId, 'careful_echo');
      const [snapshot = ''] = await until('its snapshot', async () => {
        const keys = await redis.keys(`plinth:{run:${run.runId}}:*:snapshot`);
        return keys.length === 1 ? keys : null;
      });
      if (lose) expect(await redis.del(snapshot)).toBe(1);
      await ada.answer(wait.id, { type: 'approve' });
      expect(await ada.ended(run.messageId)).toMatchObject({ reason: 'final_answer' });
      expect((await rebuilt()) - before).toBe(lose ? 1 : 0);
      const [, asked, resumed] = bodies();
      expect(namesIn(resumed)).toEqual([...FIXED, 'careful_echo']);
      expect(toolsText(resumed)).toBe(toolsText(asked));
      expect(lastResult(resumed)).toContain('careful says now');
    }
  } finally {
    redis.disconnect();
  }
});
