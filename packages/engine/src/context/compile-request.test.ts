import { DEFAULT_TENANT_CONFIG } from '@plinth/protocol';
import { aCall, aComponentTool, aRun, aServerTool, aTurn, pairingProblem } from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentVersion } from '../agent-catalog.js';
import type { RunState, ToolCall, Turn } from '../runs/run.js';
import { compileRequest } from './compile-request.js';

const definition = { key: 'agent', name: 'Agent', instructions: 'Say "hi" – 你好\n', tools: [], config: {} };
const agent = (tools = [aServerTool('b'), aComponentTool('a')]): AgentVersion => ({
  id: 'agv_1' as AgentVersion['id'],
  version: 1,
  definition,
  tools,
});

/** Texts that a parser and a serialiser would not give back as they are. */
const ODD =
  '{"role":"assistant", "content":null,"tool_calls":[{"id":"p1","type":"function","function":{"name":"b","arguments":"{\\"2\\":1,\\"10\\":2, \\"a\\":1e2}"}}],"9":1,"1":"\\u00e9\\ud83d\\ude00"}';

const answered = (fields: Partial<ToolCall>): ToolCall =>
  aCall({ status: 'succeeded', resultText: '{"done":true}', ...fields });

function stateOf(fields: Partial<RunState> = {}): RunState {
  return {
    run: aRun(),
    history: ['{"role":"user","content":"a \\u0041 poster"}'],
    turns: [],
    calls: [],
    interrupts: [],
    artifacts: [],
    ...fields,
  };
}

const compile = (state: RunState, offerTools = true, version = agent()) =>
  compileRequest(state, version, DEFAULT_TENANT_CONFIG, offerTools);

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

  it('has no order of its own: the same state is the same text and digest', () => {
    const state = stateOf({
      turns: [aTurn({ assistantRaw: ODD })],
      calls: [answered({ providerCallId: 'p1' })],
    });
    const again = compile(JSON.parse(JSON.stringify(state)) as RunState);
    expect(again).toEqual(compile(state));
    expect(again.digest).toMatch(/^[0-9a-f]{64}$/);
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
          const messages = body.slice(0, body.indexOf('],"tools":['));
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
    const last = JSON.parse(compile(stateOf(), false).body);
    expect(open.tools.map(({ function: { name } }: { function: { name: string } }) => name)).toEqual([
      'b',
      'a',
    ]);
    expect([open.tool_choice, last.tool_choice]).toEqual(['auto', 'none']);
    expect(last.tools).toEqual(open.tools);
    const bare = JSON.parse(compile(stateOf(), true, agent([])).body);
    expect(bare).not.toHaveProperty('tools');
    expect(bare).not.toHaveProperty('tool_choice');
  });

  it('follows the configuration of the tenant', () => {
    const config = {
      ...DEFAULT_TENANT_CONFIG,
      model: { name: 'm"1', temperature: 0, maxOutputTokens: 99, timeoutMs: 1234 },
    };
    const request = compileRequest(stateOf(), agent(), config, true);
    expect(JSON.parse(request.body)).toMatchObject({
      model: 'm"1',
      temperature: 0,
      max_completion_tokens: 99,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(request.timeoutMs).toBe(1234);
  });
});
