import type { MessageView, Page as PageOf, SessionTokenResponse, ThreadMessage } from '@plinth/protocol';
import { ApiClient } from '@plinth/testkit/system';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { look } from './support/look.js';
import {
  approve,
  chinese,
  chooseStyle,
  english,
  fillDetails,
  seePoster,
  styleChoice,
} from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();
const EXAMPLE = 'Plan a campaign for our autumn tea sale';

/** What each call of the campaign is carried out by. */
const KINDS = {
  visitor_settings: 'frontend',
  brand_guidelines: 'mcp',
  past_campaigns: 'mcp',
  current_time: 'builtin',
  choose_style: 'component',
  poster_details: 'component',
  print_price: 'http',
  generate_poster: 'remote',
  compose_jingle: 'comfyui',
};

type Sent = { role: string; content: string; tool_call_id?: string; tool_calls?: SentCall[] };
type SentCall = { id: string; function: { name: string; arguments: string } };

/** Arguments and result of each call, by tool, as the model was sent them last. */
function sentCalls(raw: string): Record<string, { arguments: unknown; result: string }> {
  const { messages } = JSON.parse(raw) as { messages: Sent[] };
  const resultOf = (id: string) => messages.find((one) => one.tool_call_id === id)?.content ?? '';
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  return Object.fromEntries(
    calls.map(({ id, function: { name, arguments: args } }) => [
      name,
      { arguments: JSON.parse(args), result: resultOf(id) },
    ]),
  );
}

/** The one answer of the page's thread, read by the visitor's own token. */
async function answerOn(page: Page): Promise<MessageView> {
  const { studio } = inStudio();
  const { token } = await page.evaluate<SessionTokenResponse>(async () =>
    (await fetch('/playground/api/session', { method: 'POST' })).json(),
  );
  const visitor = new ApiClient(studio.server.url, token);
  const threadId = new URL(page.url()).searchParams.get('thread');
  const { items } = await visitor.call<PageOf<ThreadMessage>>('GET', `/v1/threads/${threadId}/messages`);
  const answers = items.filter(({ role }) => role === 'assistant');
  expect(answers).toHaveLength(1);
  return visitor.ended(answers[0]?.id ?? '');
}

const player = (page: Page) => page.locator('.plinth-workspace audio');
const lengthOf = (page: Page) => player(page).evaluate((audio: HTMLAudioElement) => audio.duration);

it('one run uses seven kinds of tools, its poster and its jingle open by themselves, and every result reaches the model', async () => {
  const { studio, visitor } = inStudio();
  const page = await (await visitor()).tab();
  await page.getByRole('button', { name: EXAMPLE }).click();
  await styleChoice(page).waitFor({ state: 'attached', timeout: 30_000 });
  await look(page, 'campaign-look-ups');
  await chooseStyle(page);
  await fillDetails(page, 'Autumn Tea Sale');
  await approve(page, english);
  await seePoster(page);
  await player(page).waitFor({ timeout: 30_000 });
  await expect.poll(() => lengthOf(page), { timeout: 15_000 }).toBeCloseTo(6, 1);
  await page.getByText('120 copies for 105.60 EUR').first().waitFor();
  await look(page, 'campaign');

  const { calls, reason } = await answerOn(page);
  expect(reason).toBe('final_answer');
  expect(calls.map(({ status }) => status)).toEqual(Object.keys(KINDS).map(() => 'succeeded'));
  const business = new ApiClient(studio.server.url, studio.apiKey);
  const kindOf = async (tool: string) => {
    const { definition } = await business.call<{ definition: { executor: { kind: string } } }>(
      'GET',
      `/v1/tools/${tool}`,
    );
    return [tool, definition.executor.kind];
  };
  expect(Object.fromEntries(await Promise.all(calls.map(({ tool }) => kindOf(tool))))).toEqual(KINDS);

  const sent = sentCalls(studio.sim.requests.at(-1)?.raw ?? '{}');
  const timeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(JSON.parse(sent.visitor_settings?.result ?? '')).toMatchObject({
    result: { timeZone, language: 'en-GB' },
  });
  expect(sent.current_time?.arguments).toEqual({ timeZone });
  expect(sent.brand_guidelines?.result).toContain('plucked strings');
  expect(sent.compose_jingle?.arguments).toMatchObject({ mood: expect.stringContaining('plucked strings') });
  expect(sent.past_campaigns?.result).toContain('"copies":120');
  expect(sent.print_price).toMatchObject({
    arguments: { size: 'A3', copies: 120 },
    result: expect.stringContaining('"total":105.6'),
  });
  expect(sent.choose_style?.result).toContain('botanical');
  expect(sent.poster_details?.result).toContain('Autumn Tea Sale');
  expect(sent.generate_poster?.result).toContain('poster.png');
  expect(sent.compose_jingle?.result).toContain('audio');
});

it('in Chinese, on a narrow dark page, the campaign begins with one click and nothing overflows', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor({ locale: 'zh-CN' })).tab();
  await page.setViewportSize({ width: 380, height: 820 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page.getByRole('heading', { name: '今天想做点什么？' }).waitFor();
  await look(page, 'campaign-examples-zh-narrow-dark');
  await page.getByRole('button', { name: '为我们的秋季茶叶促销策划一次推广' }).click();
  await chooseStyle(page, chinese);
  await fillDetails(page, '秋日新茶', chinese);
  await approve(page, chinese);
  await page.getByText('120 份，共 105.60 EUR').first().waitFor({ timeout: 30_000 });
  await look(page, 'campaign-zh-narrow-dark');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
