// @vitest-environment jsdom
import { emptyMessageView, type Plinth, PlinthClientError, type RunContext } from '@plinth/client';
import type { StreamEntry, TurnContext } from '@plinth/protocol';
import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { PlinthProvider } from '../plinth-provider.js';
import { amountsIn } from '../ui/amounts.js';
import { button, click, draw, nextFrame, the, type as typeInto, undraw } from '../ui/draw-for-test.js';
import { sessionForTest } from '../ui/session-for-test.js';
import { barOf, suitableScale } from './context-bars.js';
import { PlinthInspector } from './plinth-inspector.js';
import { tabAfter } from './tab-list.js';

afterEach(undraw);

const aTurn = (changes: Partial<TurnContext> = {}): TurnContext => ({
  turn: 0,
  tokens: 5_000,
  tokensExact: true,
  bytes: 20_000,
  budgetTokens: 10_000,
  budgetBytes: 100_000,
  wallBytes: 200_000,
  accounts: { instructions: { tokens: 1_000, bytes: 4_000 }, history: { tokens: 4_000, bytes: 16_000 } },
  reasons: [],
  inputTokens: 4_000,
  cachedInputTokens: 1_000,
  prefixBytes: null,
  ...changes,
});

const summarised = {
  code: 'history_summarised',
  wall: 'tokens',
  count: 2,
  tokens: 900,
  bytes: 3_600,
  detail: null,
} as const;

async function inspect(reads: (() => Promise<RunContext>)[], language: 'en' | 'zh' = 'en') {
  const session = sessionForTest();
  let reading = 0;
  const entries = [
    { seq: '1-1', type: 'run.started', agent: 'a', agentVersion: 1 },
    { seq: '1-2', type: 'tool.result', callId: 'call_1', summary: 'Found' },
  ] as unknown as StreamEntry[];
  const plinth = {
    runContext: () => reads[Math.min(reading++, reads.length - 1)]?.(),
    followLog: async (_: string, { onEntries }: Parameters<Plinth['followLog']>[1]) => onEntries(entries),
  } as Partial<Plinth> as Plinth;
  const { box } = draw(
    <PlinthProvider plinth={plinth}>
      <PlinthInspector thread={session} language={language} />
    </PlinthProvider>,
  );
  const run = async (part: object) => {
    const view = { ...emptyMessageView('msg_1', 'run_1'), ...part };
    const fixed = { key: 'a', parentId: null, siblings: ['msg_1'], createdAt: '2026-01-01T00:00:00.000Z' };
    session.set({ messages: [{ ...fixed, id: 'msg_1', delivery: 'sent', role: 'assistant', view }] });
    await nextFrame();
    await act(async () => undefined);
  };
  return { box, run };
}

const read =
  (...turns: TurnContext[]) =>
  () =>
    Promise.resolve({ runId: 'run_1', model: 'sim', turns });

test('each turn has a bar for tokens and one for bytes, and a sentence for what was left out', async () => {
  const { box, run } = await inspect([read(aTurn({ reasons: [summarised] }))]);
  expect(box.textContent).toContain('There is no run yet.');
  await run({ status: 'completed' });
  const bars = [...box.querySelectorAll('[role="img"]')].map((bar) => bar.getAttribute('aria-label'));
  expect(bars).toEqual([
    'Tokens: Instructions 1,000, History 4,000',
    'Body: Instructions 4 kB, History 16 kB',
  ]);
  expect(the(box, '.plinth-context-reasons').textContent).toBe(
    '2 exchanges have left; a summary stands in their place. Because of: the limit of tokens. Saves about 900 tokens and 3.6 kB.',
  );
  expect(the(box, '.plinth-context-legend').textContent).not.toContain('Images');
});

test('a run that goes on is read again with its next turn', async () => {
  const { box, run } = await inspect([read(aTurn()), read(aTurn(), aTurn({ turn: 1 }))]);
  await run({ status: 'running' });
  expect(box.querySelectorAll('article')).toHaveLength(1);
  await run({ status: 'running', usage: { inputTokens: 9, cachedInputTokens: 0, outputTokens: 1 } });
  expect(box.querySelectorAll('article')).toHaveLength(2);
});

test('without the scope it says how the token is minted, in Chinese as well', async () => {
  const refuse = () =>
    Promise.reject(new PlinthClientError({ code: 'forbidden', message: 'no', status: 403 }));
  const { box, run } = await inspect([refuse], 'zh');
  await run({ status: 'completed' });
  expect(the(box, '[role="alert"]').textContent).toContain('"scopes": ["debug"]');
  expect(the(box, '[role="alert"]').textContent).toContain('无权');
});

test('the events can be filtered, and the state is the message as JSON', async () => {
  const { box, run } = await inspect([read(aTurn())]);
  await run({ status: 'completed' });
  await click(button(box, 'Events'));
  expect(box.querySelectorAll('.plinth-events li')).toHaveLength(2);
  typeInto(the(box, 'input'), 'TOOL.result');
  expect(the(box, '.plinth-events').textContent).toBe('1-2 tool.result ');
  await click(button(box, 'State'));
  expect(JSON.parse(the(box, '.plinth-inspector-json').textContent ?? '')).toMatchObject({ runId: 'run_1' });
});

test('a bar to the limit marks it; one to the largest turn is for turns that are far from it', () => {
  const turn = aTurn();
  const bar = barOf(turn, [turn], 'bytes', 'limit');
  expect(bar.segments.map(({ account, share }) => [account, share])).toEqual([
    ['instructions', 0.02],
    ['history', 0.08],
  ]);
  expect(bar.marks).toEqual([
    { kind: 'budget', share: 0.5 },
    { kind: 'wall', share: 1 },
  ]);
  expect(barOf(turn, [turn], 'bytes', 'largest').segments.map(({ share }) => share)).toEqual([0.2, 0.8]);
  expect(suitableScale([turn])).toBe('limit');
  expect(suitableScale([aTurn({ tokens: 10, bytes: 10 })])).toBe('largest');
});

test('bytes are written with three digits, and no number is 1,000 kB', () => {
  expect([0, 999, 18_240, 999_600, 20_000_000].map(amountsIn('en').bytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '18.2 kB',
    '1 MB',
    '20 MB',
  ]);
});

test('the arrows go around the tabs, the other way where the text runs from right to left', () => {
  expect([tabAfter('state', 'ArrowRight', false), tabAfter('state', 'ArrowRight', true)]).toEqual([
    'context',
    'events',
  ]);
  expect([tabAfter('events', 'Home', false), tabAfter('events', 'a', false)]).toEqual(['context', null]);
});
