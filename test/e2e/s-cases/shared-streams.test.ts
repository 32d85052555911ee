import { posterStudio, scripted } from '@plinth/model-sim';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { ask } from '../support/poster-steps.js';
import { withStudio } from '../support/with-studio.js';

const inStudio = withStudio();
const SENTENCES = Array.from({ length: 80 }, (_, index) => `Sentence ${index + 1} stands here.`);
/** With two streams each, more than the six connections that a browser opens to a host. */
const TABS = 6;

afterEach(() => {
  inStudio().studio.sim.setScenarios([posterStudio]);
  inStudio().studio.sim.setLatency({ firstTokenMs: 30, perChunkMs: 3 });
});

const answerOf = (page: Page) => page.locator('.plinth-message--assistant .plinth-markdown').last();

it('six tabs follow one answer over one connection; when the tab that has it is closed, the others miss nothing', async () => {
  const { studio, visitor } = inStudio();
  studio.sim.setScenarios([scripted([{ text: SENTENCES.join(' ') }])]);
  studio.sim.setLatency({ firstTokenMs: 30, perChunkMs: 60 });
  const ada = await visitor();
  const streams: { page: Page; path: string }[] = [];
  ada.context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('/events')) streams.push({ page: request.frame().page(), path: pathname });
  });
  const messageStreams = () => streams.filter(({ path }) => path.startsWith('/v1/messages/'));

  const first = await ada.tab();
  await ask(first, 'tell all tabs a long story');
  await first.getByRole('article').getByText('Sentence 2 stands').waitFor();
  await first.waitForURL(/thread=thr_/);
  const others: Page[] = [];
  while (others.length < TABS - 1) others.push(await ada.tab(first.url()));
  for (const page of others) await page.getByRole('article').getByText('Sentence 3 stands').waitFor();
  expect(messageStreams().map(({ page }) => page)).toEqual([first]);

  await first.close();
  for (const page of others) {
    await page.getByRole('button', { name: 'Answer again' }).waitFor({ timeout: 60_000 });
    expect(await answerOf(page).textContent()).toBe(SENTENCES.join(' '));
  }
  expect(messageStreams()).toHaveLength(2);
});
