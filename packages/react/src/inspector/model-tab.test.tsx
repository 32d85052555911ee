// @vitest-environment jsdom
import { emptyMessageView, type Plinth, PlinthClientError } from '@plinth/client';
import type { JsonObject, SentMessage, TurnRequestView } from '@plinth/protocol';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { PlinthProvider } from '../plinth-provider.js';
import { click, draw, the, undraw } from '../ui/draw-for-test.js';
import { UiProvider } from '../ui/ui-context.js';
import { ModelTab } from './model-tab.js';
import { toolsOfResults } from './tools-of-results.js';

afterEach(undraw);

const sent = (message: JsonObject, fields: Partial<SentMessage> = {}): SentMessage => ({
  what: 'said',
  shadow: false,
  reduced: null,
  bytes: 1_200,
  tokens: 300,
  message,
  ...fields,
});

const asks = (id: string, name: string) =>
  sent({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: '{"q":1}' } }],
  });
const answers = (id: string, content: string, fields: Partial<SentMessage> = {}) =>
  sent({ role: 'tool', tool_call_id: id, content }, { what: 'result', ...fields });

const image = {
  artifactId: 'art_1',
  title: 'shop.png',
  sha256: 'ab'.repeat(32),
  step: 2,
  mimeType: 'image/webp',
  width: 1_536,
  height: 1_024,
  bytes: 81_000,
  delivery: 'inline',
};

const aRequest = (fields: Partial<TurnRequestView> = {}): TurnRequestView => ({
  runId: 'run_1',
  turn: 0,
  digest: 'd'.repeat(64),
  verified: true,
  doubts: [],
  bytes: 20_480,
  tokens: 5_000,
  tokensExact: true,
  settings: { model: 'sim', temperature: 0.5 },
  tools: [{ name: 'look_up', description: 'Looks.', parameters: { type: 'object' }, bytes: 90, tokens: 30 }],
  messages: [
    sent({ role: 'system', content: 'You make posters.' }, { what: 'instructions', shadow: true }),
    sent({
      role: 'user',
      content: [
        { type: 'text', text: 'See.' },
        { type: 'image', image },
      ],
    }),
    asks('c1', 'form'),
    answers('c1', 'filled in', { shadow: true }),
  ],
  ...fields,
});

type Read = Plinth['runRequest'];

async function show(runRequest: Read, turns = [0], language: 'en' | 'zh' = 'en') {
  const view = { ...emptyMessageView('msg_1', 'run_1'), status: 'completed' as const };
  const context = { runId: 'run_1', model: 'sim', turns: turns.map((turn) => ({ turn })) };
  const plinth = { runContext: async () => context, runRequest } as unknown as Plinth;
  const { box } = draw(
    <PlinthProvider plinth={plinth}>
      <UiProvider language={language}>
        <ModelTab view={view} />
      </UiProvider>
    </PlinthProvider>,
  );
  await act(async () => undefined);
  await act(async () => undefined);
  return box;
}

const rows = (box: HTMLElement) => [...box.querySelectorAll<HTMLElement>('.plinth-model-messages > li')];

test('each message has its role, its weight, and a mark when the chat does not show it', async () => {
  const box = await show(async () => aRequest());
  const heads = rows(box).map((row) => the(row, 'summary').textContent);
  expect(heads).toEqual([
    'systeminstructionsnot in the chat1.2 kB · 300 tokens',
    'user1.2 kB · 300 tokens',
    'assistant1.2 kB · 300 tokens',
    'toolresult of formnot in the chat1.2 kB · 300 tokens',
  ]);
  expect(rows(box)[3]?.textContent).toContain('filled in');
  expect(rows(box)[2]?.textContent).toContain('calls form{"q":1}');
});

test('a picture is told by what it is', async () => {
  const box = await show(async () => aRequest());
  expect(the(box, '.plinth-model-image').textContent).toBe(
    `shop.pngimage/webp · 1,536 × 1,024 pixels · 81 kB · made smaller, step 2 · in the bodysha256 ${'ab'.repeat(32)}`,
  );
});

test('instructions, settings and tools are closed until somebody opens them, and are drawn only then', async () => {
  const box = await show(async () => aRequest());
  expect(box.textContent).not.toContain('You make posters.');
  expect(box.textContent).not.toContain('look_up');
  for (const text of ['instructions', 'Tools (1)', 'Settings']) {
    const summary = [...box.querySelectorAll('summary')].find((one) => one.textContent?.includes(text));
    await click(summary as HTMLElement);
  }
  for (const text of ['You make posters.', 'look_up', '"temperature": 0.5'])
    await expect.poll(() => box.textContent).toContain(text);
});

test('it says whether this is what was sent, and why it may not be, in Chinese too', async () => {
  const sure = await show(async () => aRequest());
  expect(the(sure, '.plinth-model-verdict').dataset.verified).toBe('true');
  undraw();
  const doubts = [{ code: 'image_lost', detail: 'The bytes are gone.' } as const];
  const unsure = await show(async () => aRequest({ verified: false, doubts }), [0], 'zh');
  expect(the(unsure, '.plinth-model-verdict').textContent).toContain('某张图片的数据已不在存储中。');
});

test('a reason that this page does not know is told in the words of the server', async () => {
  const doubts = [{ code: 'of_tomorrow', detail: 'Something new.' }] as never;
  const box = await show(async () => aRequest({ verified: false, doubts }));
  expect(the(box, '.plinth-model-verdict').textContent).toContain('Something new.');
});

test('the newest turn is shown until another one is chosen', async () => {
  const read = vi.fn(async (_runId: string, turn: number) => aRequest({ turn }));
  const box = await show(read, [0, 1]);
  expect(the(box, 'h3').textContent).toContain('Turn 2');
  const select = the(box, 'select') as HTMLSelectElement;
  await act(async () => {
    select.value = '0';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await act(async () => undefined);
  expect(the(box, 'h3').textContent).toContain('Turn 1');
  expect(read.mock.calls.map(([, turn]) => turn)).toEqual([1, 0]);
});

test('a long text is cut until somebody wants all of it', async () => {
  const messages = [sent({ role: 'user', content: `${'long '.repeat(1_000)}END` })];
  const box = await show(async () => aRequest({ messages }));
  expect(box.textContent).not.toContain('END');
  const more = [...box.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Show all of it',
  );
  await click(more as HTMLElement);
  expect(box.textContent).toContain('END');
});

test('what cannot be read is a problem with a way to try again', async () => {
  const read = vi
    .fn<Read>()
    .mockRejectedValueOnce(new PlinthClientError({ code: 'network', message: 'no connection' }))
    .mockResolvedValue(aRequest());
  const box = await show(read);
  expect(the(box, '[role="alert"]').textContent).toContain('no connection');
  await click(the(box, '[role="alert"] button'));
  await act(async () => undefined);
  expect(rows(box)).toHaveLength(4);
});

test('a result is of the last call before it that has its id', () => {
  const messages = [asks('c1', 'one'), answers('c1', 'a'), asks('c1', 'two'), answers('c1', 'b')];
  expect([...toolsOfResults(messages)]).toEqual([
    [1, 'one'],
    [3, 'two'],
  ]);
  expect([
    ...toolsOfResults([answers('c9', 'of nothing'), sent({ role: 'assistant', tool_calls: [7] })]),
  ]).toEqual([]);
});
