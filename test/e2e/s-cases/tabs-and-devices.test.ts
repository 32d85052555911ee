import { posterStudio, scripted } from '@plinth/model-sim';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  approveButton,
  ask,
  chooseStyle,
  fillDetails,
  headlineField,
  modelRequestsAbout,
} from '../support/poster-steps.js';
import { type Visitor, withStudio } from '../support/with-studio.js';

const inStudio = withStudio();
const SLOW = { firstTokenMs: 30, perChunkMs: 40 };
const FAST = { firstTokenMs: 30, perChunkMs: 3 };
const SENTENCES = Array.from({ length: 60 }, (_, index) => `Sentence ${index + 1} stands here.`);
const LONG_ANSWER = SENTENCES.join(' ');

beforeEach(() => inStudio().studio.sim.clearRequests());
afterEach(() => {
  inStudio().studio.sim.setScenarios([posterStudio]);
  inStudio().studio.sim.setLatency(FAST);
});

const answerOf = (page: Page) => page.locator('.plinth-message--assistant .plinth-markdown').last();
const composerStatus = (page: Page) => page.locator('.plinth-composer-status');

/** A slow answer has begun, and is not near its end. */
async function answering(page: Page, text: string): Promise<void> {
  const { studio } = inStudio();
  studio.sim.setScenarios([scripted([{ text: LONG_ANSWER }])]);
  studio.sim.setLatency(SLOW);
  await ask(page, text);
  await answerOf(page).getByText('Sentence 3 stands').waitFor();
  await page.waitForURL(/thread=thr_/);
}

it('S1: reloaded while a form is open, the form is back with its props, and the composer says why it waits', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  await ask(page, 'a poster for our kite fair');
  await chooseStyle(page);
  await headlineField(page).waitFor();
  const suggested = await headlineField(page).inputValue();
  await page.waitForURL(/thread=thr_/);
  await page.reload();
  await headlineField(page).waitFor();
  expect(await headlineField(page).inputValue()).toBe(suggested);
  expect(await composerStatus(page).textContent()).toContain('Waiting for your choice above');
});

/** Another browser in which the same person is signed in. */
async function otherDevice(ada: Visitor): Promise<Visitor> {
  const device = await inStudio().visitor();
  await device.context.addCookies(await ada.context.cookies());
  return device;
}

it('S2: two devices submit the same form: one wins, the other reads who answered, the model gets one result', async () => {
  const { studio, visitor } = inStudio();
  const ada = await visitor();
  const first = await ada.tab();
  await ask(first, 'a poster for our two lanterns');
  await chooseStyle(first);
  await headlineField(first).waitFor();
  await first.waitForURL(/thread=thr_/);
  const second = await (await otherDevice(ada)).tab(first.url());
  await headlineField(second).waitFor();

  // Both have pressed the button before either heard of the other: the second one's answer is on its way meanwhile.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await second.route('**/v1/interrupts/*/answer', async (route) => {
    await held;
    await route.continue();
  });
  await fillDetails(second, 'From the phone');
  await fillDetails(first, 'From the desk');
  await approveButton(first).waitFor();
  release();
  await second
    .getByText(/You already answered this in another tab or on another device, at \d\d:\d\d/)
    .waitFor();
  await approveButton(second).waitFor();

  expect(await second.locator('.plinth-arguments').textContent()).toContain('From the desk');
  const requests = modelRequestsAbout(studio.sim.requests, 'two lanterns');
  expect(requests.filter((raw) => raw.includes('From the desk'))).toHaveLength(1);
  expect(requests.filter((raw) => raw.includes('From the phone'))).toEqual([]);
});

it('S6: stopped from a second tab, the run stops on the server, both tabs show it, and the part that came stays', async () => {
  const { visitor } = inStudio();
  const ada = await visitor();
  const first = await ada.tab();
  await answering(first, 'tell me a long story');
  const second = await ada.tab(first.url());
  await answerOf(second).getByText('Sentence 3 stands').waitFor();
  await second.getByRole('button', { name: 'Stop', exact: true }).click();
  for (const page of [first, second]) await page.getByText('Stopped.', { exact: true }).last().waitFor();
  const kept = await answerOf(first).textContent();
  expect(kept).toContain('Sentence 3 stands');
  expect(kept).not.toContain('Sentence 60');
  expect(await answerOf(second).textContent()).toBe(kept);
  await second.reload();
  await second.getByText('Stopped.', { exact: true }).last().waitFor();
  expect(await answerOf(second).textContent()).toBe(kept);
});

it('S7: the tab is closed in the middle of an answer, and the run goes on to its end', async () => {
  const { visitor } = inStudio();
  const ada = await visitor();
  const page = await ada.tab();
  await answering(page, 'tell me another long story');
  const url = page.url();
  await page.close();
  const later = await ada.tab(url);
  await later.getByRole('button', { name: 'Answer again' }).waitFor({ timeout: 60_000 });
  expect(await answerOf(later).textContent()).toBe(LONG_ANSWER);
});
