import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, tooWide } from './support/axe.js';
import {
  approve,
  approveButton,
  ask,
  chinese,
  chooseStyle,
  fillDetails,
  headlineField,
  progressBar,
  seePoster,
  styleChoice,
} from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();

it('no screen of the main job has a serious finding: light, dark, and 320 px wide', {
  timeout: 240_000,
}, async () => {
  const { studio, visitor } = inStudio();
  await studio.setJobDelay(20_000);
  const page = await (await visitor()).tab();
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  await expectAccessible(page, 'empty');
  await ask(page, 'a poster for our lantern walk');
  await styleChoice(page).waitFor({ state: 'attached' });
  await expectAccessible(page, 'choose a style');
  await chooseStyle(page);
  await headlineField(page).waitFor();
  await headlineField(page).fill('');
  await page.getByRole('button', { name: 'Use these details', exact: true }).click();
  await expectAccessible(page, 'a form with a problem');
  await fillDetails(page, 'Lantern Walk');
  await approveButton(page).waitFor();
  await expectAccessible(page, 'approve');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expectAccessible(page, 'edit the arguments');
  await page.getByRole('button', { name: 'Discard changes', exact: true }).click();
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expectAccessible(page, 'decline');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await approve(page);
  await progressBar(page).waitFor();
  await studio.setJobDelay(200);
  await expectAccessible(page, 'a job under way');
  await seePoster(page);
  await expectAccessible(page, 'the poster');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Your posters' }).click();
  await expectAccessible(page, 'the list as a drawer');
});

it('the page in Chinese has none either', { timeout: 180_000 }, async () => {
  const { visitor } = inStudio();
  const page = await (await visitor({ locale: 'zh-CN' })).tab();
  await page.getByRole('textbox', { name: chinese.message, exact: true }).waitFor();
  await expectAccessible(page, 'empty, Chinese');
  await ask(page, '为灯会做一张海报', chinese);
  await chooseStyle(page, chinese);
  await headlineField(page, chinese).waitFor();
  await expectAccessible(page, 'form, Chinese');
});

/** Presses Tab until the keyboard is on what the person is after, as they would; every stop on the way is to be seen. */
async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'textbox' | 'radio'): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: typeof name === 'string' });
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    const isSeen = await page.evaluate(() => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) return true;
      // What is drawn by the box around it (a card for its radio, the composer for its field) shows the ring there.
      const boxes = [focused, focused.closest('label'), focused.closest('.plinth-composer-box')];
      return boxes.some((box) => box !== null && getComputedStyle(box).outlineStyle !== 'none');
    });
    expect(isSeen, `the stop after ${press + 1} presses on the way to ${name} shows no focus`).toBe(true);
    if (await wanted.first().evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`60 presses of Tab do not reach ${name}`);
}

it('the keyboard alone does the main job, and every stop on the way is to be seen', {
  timeout: 180_000,
}, async () => {
  const { studio, visitor } = inStudio();
  await studio.setJobDelay(300);
  const page = await (await visitor()).tab();
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  await tabTo(page, 'Message', 'textbox');
  await page.keyboard.type('a poster for our kite day');
  await page.keyboard.press('Enter');
  await styleChoice(page).waitFor({ state: 'attached' });
  await page.getByRole('radio', { name: 'Minimal' }).waitFor({ state: 'attached' });
  await tabTo(page, 'Minimal', 'radio');
  await page.keyboard.press('ArrowRight');
  expect(await styleChoice(page).isChecked()).toBe(true);
  await tabTo(page, 'Use Botanical', 'button');
  await page.keyboard.press('Enter');
  await headlineField(page).waitFor();
  await tabTo(page, 'Headline', 'textbox');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Kite Day');
  await tabTo(page, 'Use these details', 'button');
  await page.keyboard.press('Enter');
  await approveButton(page).waitFor();
  await tabTo(page, 'Approve', 'button');
  await page.keyboard.press('Enter');
  await seePoster(page);
  await tabTo(page, /^Open poster/, 'button');
  await page.keyboard.press('Enter');
  await seePoster(page);
});

it('at 200 % zoom every step of the job can be done without scrolling sideways', {
  timeout: 120_000,
}, async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  // A window of 1280 × 860 at 200 % has this many CSS pixels.
  await page.setViewportSize({ width: 640, height: 430 });
  await ask(page, 'a poster for our open garden');
  await chooseStyle(page);
  expect(await tooWide(page)).toEqual([]);
  await fillDetails(page, 'Open Garden');
  await approveButton(page).waitFor();
  expect(await tooWide(page)).toEqual([]);
});

it('who asks for less motion gets none', async () => {
  const { studio, visitor } = inStudio();
  await studio.setJobDelay(4000);
  const page = await (await visitor()).tab();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await ask(page, 'a poster for our quiet hour');
  await chooseStyle(page);
  await fillDetails(page, 'Quiet Hour');
  await approve(page);
  await progressBar(page).waitFor();
  const longest = await page.evaluate(() =>
    Math.max(
      0,
      ...[...document.querySelectorAll('.plinth *')].map((element) =>
        Math.max(
          ...getComputedStyle(element)
            .animationDuration.split(',')
            .map((text) => Number.parseFloat(text)),
        ),
      ),
    ),
  );
  expect(longest).toBeLessThan(0.001);
});
