import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ask } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();

interface Player {
  seconds: number;
  at: number;
  canJumpTo: number;
}

const player = (page: Page) => page.locator('.plinth-workspace audio');
const read = (page: Page): Promise<Player> =>
  player(page).evaluate((audio: HTMLAudioElement) => ({
    seconds: audio.duration,
    at: audio.currentTime,
    canJumpTo: audio.seekable.length === 0 ? 0 : audio.seekable.end(0),
  }));

it('a jingle that a workflow composed opens in a player, plays, and can be jumped in', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  await ask(page, 'a jingle for our autumn tea sale');
  await player(page).waitFor({ timeout: 30_000 });
  await expect.poll(async () => (await read(page)).seconds, { timeout: 15_000 }).toBeCloseTo(6, 1);
  expect((await read(page)).canJumpTo).toBeCloseTo(6, 1);

  await player(page).evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true;
    audio.currentTime = 4;
    await audio.play();
  });
  await expect.poll(async () => (await read(page)).at).toBeGreaterThan(4.2);
  await page.getByText('jingle', { exact: false }).last().waitFor();
  await page.reload();
  await player(page).waitFor();
});
