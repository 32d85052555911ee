import type { SessionTokenResponse } from '@plinth/protocol';
import { ApiClient, photo } from '@plinth/testkit/system';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/axe.js';
import { look } from './support/look.js';
import { ask, chinese, chooseStyle, headlineField, styleChoice } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();
const inspected = () => `${inStudio().studio.pageUrl}?inspect=1`;
const bars = (page: Page) => page.locator('.plinth-context-bar');

it('the inspector shows what the model was sent, turn by turn, while the run goes on, and has no serious finding', {
  timeout: 180_000,
}, async () => {
  const page = await (await inStudio().visitor()).tab(inspected());
  await page.getByText('There is no run yet.').waitFor({ timeout: 30_000 });
  await ask(page, 'a poster for our lantern walk');
  await styleChoice(page).waitFor({ state: 'attached', timeout: 30_000 });
  await expect.poll(() => bars(page).count(), { timeout: 30_000 }).toBe(2);
  const label = await bars(page).first().getAttribute('aria-label');
  expect(label).toMatch(/^Tokens: Instructions [\d,]+, Tools [\d,]+, History \d+/);
  await look(page, 'inspector-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await look(page, 'inspector-dark');
  await expectAccessible(page, 'inspector, context');
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, 'inspector-narrow');
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByText('turn.started', { exact: true }).waitFor({ timeout: 30_000 });
  await look(page, 'inspector-events');
  await expectAccessible(page, 'inspector, events');
  await page.getByRole('tab', { name: 'State' }).click();
  await expectAccessible(page, 'inspector, state');
});

it('the tab of the model shows its request with what the chat does not show, and proves that it is what was sent', {
  timeout: 180_000,
}, async () => {
  const { studio, visitor } = inStudio();
  const page = await (await visitor()).tab(inspected());
  await page.setInputFiles('input[type="file"]', {
    name: 'lantern.png',
    mimeType: 'image/png',
    buffer: photo(900_000, 7),
  });
  await ask(
    page,
    `a poster like this picture. ${'The walk goes along the canal and ends at the mill. '.repeat(60)}`,
  );
  await chooseStyle(page);
  await headlineField(page).waitFor({ timeout: 30_000 });
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByText('Byte for byte what was sent', { exact: false }).waitFor({ timeout: 30_000 });
  const newest = studio.sim.requests.at(-1);
  if (newest === undefined) throw new Error('the model was asked nothing');
  const sent = JSON.parse(newest.raw) as { messages: unknown[]; tools: unknown[] };
  const rows = page.locator('.plinth-model-messages > li');
  expect(await rows.count()).toBe(sent.messages.length);
  await page.getByText(`Tools (${sent.tools.length})`).waitFor();
  expect(await rows.last().locator('summary').textContent()).toContain('not in the chat');
  await rows.last().getByText('botanical').waitFor();
  await page.getByText('lantern.png', { exact: true }).last().waitFor();
  await look(page, 'inspector-model-light');
  await rows.last().scrollIntoViewIfNeeded();
  await look(page, 'inspector-model-picture');
  await expectAccessible(page, 'inspector, model');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Show all of it' }).first().click();
  await page.getByText(/^Tools \(/).click();
  await look(page, 'inspector-model-dark');
  await expectAccessible(page, 'inspector, model, dark');
  await page.getByLabel('Turn', { exact: true }).selectOption({ label: 'Turn 1' });
  await expect.poll(() => rows.count()).toBe(2);
  await page.setViewportSize({ width: 390, height: 844 });
  await look(page, 'inspector-model-narrow');
});

it('the tab of the model speaks Chinese', { timeout: 120_000 }, async () => {
  const { tab } = await inStudio().visitor({ locale: 'zh-CN' });
  const page = await tab(inspected());
  await ask(page, '为灯会做一张海报', chinese);
  await styleChoice(page, chinese).waitFor({ state: 'attached', timeout: 30_000 });
  await page.getByRole('tab', { name: '模型' }).click();
  await page.getByText('与实际发送的逐字节一致', { exact: false }).waitFor({ timeout: 30_000 });
  await look(page, 'inspector-model-zh');
});

it('a token without the scope is refused by the server, and the panel says what to do, in Chinese too', {
  timeout: 120_000,
}, async () => {
  const { studio, visitor } = inStudio();
  const { context, tab } = await visitor({ locale: 'zh-CN' });
  const backend = new ApiClient(studio.server.url, studio.apiKey);
  const wanted = { endUserId: 'grace', agent: 'poster-studio' };
  const plain = await backend.call<SessionTokenResponse>('POST', '/v1/session-tokens', wanted);
  await context.route('**/playground/api/session', (route) => route.fulfill({ json: plain }));
  const page = await tab(inspected());
  await ask(page, '为灯会做一张海报', chinese);
  await page.getByText('此会话无权查看发给模型的内容。').waitFor({ timeout: 30_000 });
  await look(page, 'inspector-forbidden');
});

it('the button of the header opens it and closes it, and the address keeps that', async () => {
  const page = await (await inStudio().visitor()).tab();
  const toggle = page.getByRole('button', { name: 'What the model was sent' });
  await toggle.click();
  await page.getByRole('region', { name: 'Inspector' }).waitFor({ timeout: 30_000 });
  expect(page.url()).toContain('inspect=1');
  await toggle.click();
  await page.getByRole('region', { name: 'Inspector' }).waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('inspect');
});
