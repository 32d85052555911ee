import { scripted } from '@plinth/model-sim';
import type { Page as PageOf, SessionTokenResponse, ThreadMessage, ThreadView } from '@plinth/protocol';
import { ApiClient } from '@plinth/testkit/system';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/axe.js';
import { CHANGE_MS } from './support/document-steps.js';
import { look } from './support/look.js';
import { ask } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();

it('a fork says in the list where it goes on from, and leads there', async () => {
  const { studio, visitor } = inStudio();
  studio.sim.setScenarios([scripted([{ text: 'Hello.' }])]);
  const page = await (await visitor()).tab();
  await ask(page, 'hello, this is a conversation with quite a long first message that becomes its title');
  await page.getByRole('button', { name: 'Answer again' }).waitFor({ timeout: CHANGE_MS });
  await page.waitForURL(/thread=thr_/);
  const original = page.url();
  const { token } = await page.evaluate<SessionTokenResponse>(async () =>
    (await fetch('/playground/api/session', { method: 'POST' })).json(),
  );
  const client = new ApiClient(studio.server.url, token);
  const threadId = new URL(original).searchParams.get('thread');
  const { items } = await client.call<PageOf<ThreadMessage>>('GET', `/v1/threads/${threadId}/messages`);
  const fork = await client.call<ThreadView>('POST', `/v1/threads/${threadId}/fork`, {
    messageId: items.at(-1)?.id,
    title: 'Another try',
  });
  await page.goto(`${studio.pageUrl}?thread=${fork.id}`);
  const origin = page.getByRole('button', { name: /^From: hello, this is/ });
  await origin.waitFor({ timeout: CHANGE_MS });
  await look(page, 'fork');
  await expectAccessible(page, 'a fork in the list');
  await origin.click();
  await page.waitForURL(original);
  await page
    .getByRole('button', { name: /^hello, this is/ })
    .and(page.locator('[aria-current=page]'))
    .waitFor();
  expect(await page.locator('.plinth-thread-origin').count()).toBe(1);
});
