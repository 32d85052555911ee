import { DEFAULT_TENANT_CONFIG, type EndReason, type TenantConfig } from '@plinth/protocol';
import { aCall, aComponentTool, aRun, aServerTool, aTurn, pairingProblem } from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentVersion } from '../agent-catalog.js';
import type { RunState, ToolCall, Turn } from '../runs/run.js';
import { turnMessages } from '../runs/turn-messages.js';
import { offeredTools } from '../tools/offered-tools.js';
import { NO_CUT } from './context-cut.js';
import { contextPolicy } from './context-policy.js';
import { requestText } from './fill-request.js';
import { fixedInputs } from './fixed-inputs.js';
import { KnownPictures } from './known-pictures.js';
import { planContext } from './plan-context.js';

const definition = {
  key: 'agent',
  name: 'Agent',
  instructions: 'Say "hi" – 你好\n',
  tools: [],
  skills: [],
  config: {},
};
const agent = (tools = [aServerTool('b'), aComponentTool('a')]): AgentVersion => ({
  id: 'agv_1' as AgentVersion['id'],
  version: 1,
  definition,
  tools,
  skills: [],
});

type Budgets = TenantConfig['budgets'];
type Model = TenantConfig['model'];

/** Texts that a parser and a serialiser would not give back as they are. */
const ODD =
  '{"role":"assistant", "content":null,"tool_calls":[{"id":"p1","type":"function","function":{"name":"b","arguments":"{\\"2\\":1,\\"10\\":2, \\"a\\":1e2}"}}],"9":1,"1":"\\u00e9\\ud83d\\ude00"}';

const answered = (fields: Partial<ToolCall>): ToolCall =>
  aCall({ status: 'succeeded', resultText: '{"done":true}', ...fields });

function stateOf(fields: Partial<RunState> = {}): RunState {
  return {
    run: aRun(),
    history: ['{"role":"user","content":"a \\u0041 poster"}'],
    inheritedCut: NO_CUT,
    turns: [],
    calls: [],
    interrupts: [],
    artifacts: [],
    ...fields,
  };
}

function compile(
  state: RunState,
  lastTurn: EndReason | null = null,
  version = agent(),
  { budgets, model }: { budgets?: Partial<Budgets>; model?: Partial<Model> } = {},
): { body: string } {
  const config = {
    ...DEFAULT_TENANT_CONFIG,
    budgets: { ...DEFAULT_TENANT_CONFIG.budgets, ...budgets },
    model: { ...DEFAULT_TENANT_CONFIG.model, ...model },
  };
  const { turns, calls } = state;
  const offered = offeredTools(version, calls, turns.length);
  const fixed = fixedInputs(version, config, turns.length, offered, lastTurn);
  const plan = planContext({
    fixed,
    messages: [...state.history, ...turnMessages(state)],
    cut: NO_CUT,
    policy: contextPolicy(config, {}),
    known: new KnownPictures(),
    calibration: 1,
  });
  if (plan.kind !== 'fits') throw new Error(`the request is ${plan.kind}`);
  const body = requestText(
    fixed,
    plan.draft.messages.map(({ pieces }) => pieces.join('')),
  );
  expect(Buffer.byteLength(body)).toBe(plan.bytes);
  return { body };
}
const messagesOf = ({ body }: { body: string }) => body.slice(0, body.indexOf('],"tools":['));
const parsed = ({ body }: { body: string }) => JSON.parse(body);

describe('the next request to the model', () => {
  it('holds stored messages byte for byte, whatever their text looks like', () => {
    const call = answered({ providerCallId: 'p1', resultText: '{"b":1, "2":"é😀\\u2028"}' });
    const state = stateOf({ turns: [aTurn({ assistantRaw: ODD })], calls: [call] });
    const { body } = compile(state);
    expect(body).toContain(
      `"messages":[${JSON.stringify({ role: 'system', content: definition.instructions })},${state.history[0]},${ODD},{"role":"tool","tool_call_id":"p1",`,
    );
    expect(JSON.parse(body).messages.at(-1).content).toBe(call.resultText);
  });

  it('stands its results in the order of the calls, whatever the order of the rows', () => {
    const calls = [2, 0, 1].map((position) => answered({ position, providerCallId: `p${position}` }));
    const { body } = compile(stateOf({ turns: [aTurn()], calls }));
    expect(
      JSON.parse(body)
        .messages.slice(-3)
        .map(({ tool_call_id }: { tool_call_id: string }) => tool_call_id),
    ).toEqual(['p0', 'p1', 'p2']);
  });

  it('has no order of its own: the same state is the same text', () => {
    const state = stateOf({
      turns: [aTurn({ assistantRaw: ODD })],
      calls: [answered({ providerCallId: 'p1' })],
    });
    const again = compile(JSON.parse(JSON.stringify(state)) as RunState);
    expect(again).toEqual(compile(state));
  });

  it('begins as the request before it did, turn after turn, and is one that a model takes', () => {
    const oneTurn = fc.record({
      calls: fc.nat(4),
      text: fc.string({ unit: 'grapheme' }),
      result: fc.string({ unit: 'binary', minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(oneTurn, { maxLength: 6 }), (plan) => {
        const turns: Turn[] = [];
        const calls: ToolCall[] = [];
        let before = '';
        for (const [index, { calls: count, text, result }] of [
          ...plan,
          { calls: 0, text: '', result: '' },
        ].entries()) {
          const { body } = compile(stateOf({ turns: [...turns], calls: [...calls] }));
          const messages = messagesOf({ body });
          expect(messages.startsWith(before)).toBe(true);
          expect(pairingProblem(JSON.parse(body).messages)).toBeNull();
          before = messages;
          const asks = Array.from({ length: count }, (_, n) => ({
            id: `p${index}_${n}`,
            type: 'function',
            function: { name: 'b', arguments: text },
          }));
          turns.push(
            aTurn({
              index,
              assistantRaw: JSON.stringify({
                role: 'assistant',
                content: text,
                ...(count > 0 && { tool_calls: asks }),
              }),
            }),
          );
          calls.push(
            ...asks.map(({ id }, position) =>
              answered({ turnIndex: index, position, providerCallId: id, resultText: result }),
            ),
          );
        }
      }),
    );
  });

  it('refuses to be made while a call has no result', () => {
    for (const status of ['pending', 'started'] as const) {
      const call = aCall({ status });
      expect(() => compile(stateOf({ turns: [aTurn()], calls: [call] }))).toThrow(
        `call ${call.id} has no result`,
      );
    }
  });

  it('offers the tools as they were published, and in the last turn forbids them without taking them away', () => {
    const open = JSON.parse(compile(stateOf()).body);
    const last = JSON.parse(compile(stateOf(), 'budget_iterations').body);
    expect(open.tools.map(({ function: { name } }: { function: { name: string } }) => name)).toEqual([
      'b',
      'a',
    ]);
    expect([open.tool_choice, last.tool_choice]).toEqual(['auto', 'none']);
    expect(last.tools).toEqual(open.tools);
    const bare = JSON.parse(compile(stateOf(), null, agent([])).body);
    expect(bare).not.toHaveProperty('tools');
    expect(bare).not.toHaveProperty('tool_choice');
  });

  it('follows the configuration of the tenant', () => {
    const model = { name: 'm"1', temperature: 0, maxOutputTokens: 99 };
    const request = compile(stateOf(), null, agent(), { model });
    expect(JSON.parse(request.body)).toMatchObject({
      model: 'm"1',
      temperature: 0,
      max_completion_tokens: 99,
      stream: true,
      stream_options: { include_usage: true },
    });
  });
});

describe('the last turns of a run', () => {
  const turns = (count: number) => Array.from({ length: count }, (_, index) => aTurn({ index }));
  const at = (
    turn: number,
    budgets: Partial<Budgets>,
    lastTurn: EndReason | null = null,
    version = agent(),
  ) => compile(stateOf({ turns: turns(turn) }), lastTurn, version, { budgets });
  const CLOSING = agent([aServerTool('b'), aServerTool('save', { closing: true })]);

  it('are told to the model as the last message, and only they', () => {
    const budgets = { maxTurns: 5, announceTurns: 2 };
    const told = [0, 1, 2, 3, 4].map((turn) => parsed(at(turn, budgets)).messages.at(-1));
    expect(told.slice(0, 3).map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
    expect(told.slice(3)).toEqual([
      { role: 'system', content: 'Turn 4 of 5.' },
      { role: 'system', content: 'Turn 5 of 5.' },
    ]);
    expect(
      parsed(at(4, { ...budgets, announceTurns: 0 }, 'budget_iterations')).messages.at(-1),
    ).toMatchObject({
      role: 'assistant',
    });
  });

  it('what is told changes nothing before it: the conversation stays a prefix of the next request', () => {
    const budgets = { maxTurns: 5, announceTurns: 5 };
    const bodies = [0, 1, 2, 3, 4].map((turn) => messagesOf(at(turn, budgets)));
    const conversations = bodies.map((text) => text.slice(0, text.lastIndexOf(',{"role":"system"')));
    conversations.slice(1).forEach((text, index) => {
      expect(text.startsWith(conversations[index] ?? '')).toBe(true);
    });
  });

  it('what is told is told by the state and the configuration alone', () => {
    const state = stateOf({ turns: turns(4) });
    const again = JSON.parse(JSON.stringify(state)) as RunState;
    expect(compile(again, 'budget_iterations', CLOSING, { budgets: { maxTurns: 5 } })).toEqual(
      compile(state, 'budget_iterations', CLOSING, { budgets: { maxTurns: 5 } }),
    );
  });

  it('the very last one offers closing tools only, and takes no definition away', () => {
    const before = parsed(at(3, { maxTurns: 5 }, null, CLOSING));
    const last = parsed(at(4, { maxTurns: 5 }, 'budget_iterations', CLOSING));
    expect(last.tools).toEqual(before.tools);
    expect(last.tool_choice).toEqual({
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'save' } }] },
    });
    expect(last.messages.at(-1).content).toBe(
      'Turn 5 of 5. This turn is the last one. Only these tools can be called, and their result ends the run: save.',
    );
  });

  it('an endpoint that does not know allowed_tools is offered all tools', () => {
    const last = compile(stateOf(), 'budget_iterations', CLOSING, { model: { allowedTools: false } });
    expect(parsed(last).tool_choice).toBe('auto');
    const none = compile(stateOf(), 'budget_iterations', agent(), { model: { allowedTools: false } });
    expect(parsed(none).tool_choice).toBe('none');
  });

  it('also one that is the last because the tool calls are used up says so', () => {
    const last = parsed(at(1, { maxTurns: 24 }, 'budget_tool_calls'));
    expect(last.messages.at(-1).content).toBe(
      'Turn 2 of 24. The tool calls of this run are used up, so this turn is the last one. No tool can be called any more: give your answer now.',
    );
  });
});
