import type { Event } from '@ag-ui/core';
import { EventSchema } from '@ag-ui/core/schemas';
import type { EventBody, MessageView } from '@plinth/protocol';
import { expect, it } from 'vitest';
import type { FeedEnd, FeedEntry } from '../events/feed-entry.js';
import { type AguiStream, aguiEvents } from './agui-stream.js';

const view = (state: Pick<MessageView, 'status'> & Partial<MessageView>): MessageView => ({
  messageId: 'msg_1',
  runId: 'run_1',
  reason: null,
  parts: [],
  calls: [],
  interrupts: [],
  artifacts: [],
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  error: null,
  ...state,
});

const LOG: EventBody[] = [
  { type: 'run.interrupted', interruptIds: ['int_1'] },
  { type: 'text.done', turn: 1, text: 'Edited.' },
  {
    type: 'run.finished',
    status: 'completed',
    reason: 'final_answer',
    error: null,
    usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 },
  },
];

async function* follow(): AsyncGenerator<FeedEntry, FeedEnd> {
  for (const [index, body] of LOG.entries()) {
    const payload = JSON.stringify({
      ...body,
      runId: 'run_1',
      messageId: 'msg_1',
      at: '2026-11-30T00:00:00Z',
    });
    yield { kind: 'entry', seq: `1-${index + 1}`, payload };
  }
  return 'ended';
}

it('a run that ends after the snapshot and before its log is read: what it said last is told before its end', async () => {
  const before = view({ status: 'running' });
  const states = [before, view({ status: 'completed', reason: 'final_answer' })];
  const stream: AguiStream = {
    threadId: 't',
    runId: 'r',
    clientTools: new Set(),
    isBefore1: false,
    settled: [],
    notices: [],
    run: { runId: 'run_1', messageId: 'msg_1', threadId: 'thr_1', isNew: false },
    history: async () => ({ messages: [], view: before }),
    state: async () => ({ view: states.shift() ?? before, seq: '1-0' }),
    follow,
  };
  const events: Event[] = [];
  const signal = new AbortController().signal;
  for await (const event of aguiEvents(stream, { signal, onSlow: () => undefined })) {
    EventSchema.parse(event);
    events.push(event);
  }
  expect(events.map(({ type }) => type)).toEqual([
    'RUN_STARTED',
    'MESSAGES_SNAPSHOT',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_FINISHED',
  ]);
});
