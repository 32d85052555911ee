import type { Event } from '@ag-ui/core';
import { EventSchema } from '@ag-ui/core/schemas';
import type { EventBody, MessageEvent, MessageView } from '@plinth/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AguiTranslator } from './agui-translator.js';

const event = (body: EventBody): MessageEvent => ({
  ...body,
  runId: 'run_1',
  messageId: 'msg_1',
  at: '2026-11-30T00:00:00.000Z',
});

function play(translator: AguiTranslator, bodies: EventBody[], isKnown = false): Event[] {
  const events = bodies.flatMap((body) => translator.translate(event(body), isKnown));
  for (const one of events) EventSchema.parse(one);
  return events;
}

const textOf = (events: Event[]) =>
  events.map((one) => (one.type === 'TEXT_MESSAGE_CONTENT' ? one.delta : '')).join('');
const types = (events: Event[]) => events.map(({ type }) => type);

const started = (args: { file: string } | null = { file: 'a' }): EventBody => ({
  type: 'tool.started',
  turn: 0,
  callId: 'tc_1',
  tool: 'edit',
  title: 'Edit',
  location: 'client',
  arguments: args,
});
const done: EventBody = {
  type: 'tool.result',
  callId: 'tc_1',
  summary: 'Edited.',
  artifactIds: [],
  visibility: 'chat',
};
const view: MessageView = {
  messageId: 'msg_1',
  runId: 'run_1',
  status: 'running',
  reason: null,
  parts: [{ type: 'text', turn: 0, text: 'Hello.', done: true }],
  calls: [],
  interrupts: [],
  artifacts: [],
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  error: null,
};

it('whatever pieces of a text come, again, late or not at all, the reader has the whole once it is done', () => {
  const pieces = fc
    .string({ minLength: 1, maxLength: 30 })
    .chain((text) =>
      fc.tuple(
        fc.constant(text),
        fc.array(fc.tuple(fc.nat(text.length), fc.nat(text.length)), { maxLength: 12 }),
      ),
    );
  fc.assert(
    fc.property(pieces, ([text, cuts]) => {
      const deltas = cuts.map(([a, b]): EventBody => {
        const from = Math.min(a, b);
        return { type: 'text.delta', turn: 0, from, text: text.slice(from, Math.max(a, b)) };
      });
      const events = play(new AguiTranslator('msg_1'), [...deltas, { type: 'text.done', turn: 0, text }]);
      expect(textOf(events)).toBe(text);
      expect(types(events).filter((type) => type !== 'TEXT_MESSAGE_CONTENT')).toEqual([
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_END',
      ]);
    }),
  );
});

it('what a snapshot has shown is not sent again when its entries are read again', () => {
  const translator = new AguiTranslator('msg_1');
  translator.prime(view);
  const again: EventBody[] = [
    { type: 'text.delta', turn: 0, from: 0, text: 'Hel' },
    { type: 'text.done', turn: 0, text: 'Hello.' },
  ];
  expect(play(translator, again)).toEqual([]);
});

it('a snapshot in the middle of a text makes the rest come whole, for the reader has forgotten its beginning', () => {
  const translator = new AguiTranslator('msg_1');
  play(translator, [{ type: 'text.delta', turn: 1, from: 0, text: 'One, ' }]);
  expect(types(translator.close())).toEqual(['TEXT_MESSAGE_END']);
  translator.prime(view);
  const rest = play(translator, [
    { type: 'text.delta', turn: 1, from: 5, text: 'two' },
    { type: 'text.done', turn: 1, text: 'One, two' },
  ]);
  expect(textOf(rest)).toBe('One, two');
});

it('reasoning is a span with one message in it, closed with its text', () => {
  const events = play(new AguiTranslator('msg_1'), [
    { type: 'reasoning.delta', turn: 0, from: 0, text: 'Hm.' },
    { type: 'reasoning.done', turn: 0, text: 'Hm. Yes.' },
  ]);
  expect(types(events)).toEqual([
    'REASONING_START',
    'REASONING_MESSAGE_START',
    'REASONING_MESSAGE_CONTENT',
    'REASONING_MESSAGE_CONTENT',
    'REASONING_MESSAGE_END',
    'REASONING_END',
  ]);
});

it('a call is shown once and has one result; arguments that a person edited are told by an event of our own', () => {
  const events = play(new AguiTranslator('msg_1'), [
    started(),
    started(),
    started({ file: 'b' }),
    done,
    done,
  ]);
  expect(types(events)).toEqual([
    'TOOL_CALL_START',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_END',
    'CUSTOM',
    'TOOL_CALL_RESULT',
  ]);
  expect(events[0]).toMatchObject({ parentMessageId: 'msg_1:0' });
});

it('arguments that are no JSON object are none, and a result that the client brought is not sent back', () => {
  const events = play(new AguiTranslator('msg_1', ['tc_1']), [started(null), done]);
  expect(types(events)).toEqual(['TOOL_CALL_START', 'TOOL_CALL_END']);
});

it('progress and notices of the past are not told again', () => {
  const bodies: EventBody[] = [
    { type: 'tool.progress', callId: 'tc_1', progress: 0.5, message: null },
    { type: 'notice', code: 'a', message: 'b' },
  ];
  expect(types(play(new AguiTranslator('msg_1'), bodies))).toEqual(['CUSTOM', 'CUSTOM']);
  expect(play(new AguiTranslator('msg_1'), bodies, true)).toEqual([]);
});
