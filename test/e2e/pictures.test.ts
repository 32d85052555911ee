/**
 * Makes the pictures of the README and the docs, from the real page:
 * `PLINTH_SCREENSHOTS=docs/images npx vitest run --project e2e test/e2e/pictures.test.ts`. Look at them before they are committed.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, it } from 'vitest';
import {
  documentEnglish,
  editor,
  openVersions,
  press,
  reading,
  replaceInEditor,
  said,
  version,
  workspace,
} from './support/document-steps.js';
import { look } from './support/look.js';
import {
  approve,
  approveButton,
  ask,
  chooseStyle,
  fillDetails,
  headlineField,
  progressBar,
  seePoster,
  styleChoice,
} from './support/poster-steps.js';
import { showPointer, TabsRecorder } from './support/tabs-recorder.js';
import { withStudio } from './support/with-studio.js';

const FOLDER = process.env.PLINTH_SCREENSHOTS;
const LONG_MS = 30_000;

/** Nothing fades in any more, and every picture is there. */
const atRest = (page: Page) =>
  page.evaluate(async () => {
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    await Promise.all(
      document.getAnimations().map((animation) => {
        const isEndless = animation.effect?.getTiming().iterations === Number.POSITIVE_INFINITY;
        return isEndless ? null : animation.finished.catch(() => null);
      }),
    );
  });

async function picture(page: Page, name: string): Promise<void> {
  // What moves inside of the browser's own controls cannot be waited for.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await atRest(page);
  await look(page, name);
}

describe.runIf(FOLDER)('pictures', { timeout: 180_000 }, () => {
  const inStudio = withStudio();
  const newTab = async () => (await inStudio().visitor()).tab();

  it('the tour: a choice, a form, an approval, a job, the poster', async () => {
    await inStudio().studio.setJobDelay(6_000);
    const page = await newTab();
    await ask(page, 'a poster for our autumn tea sale');
    await styleChoice(page).waitFor({ state: 'attached', timeout: LONG_MS });
    await picture(page, '1-choose');
    await chooseStyle(page);
    await headlineField(page).waitFor({ timeout: LONG_MS });
    await picture(page, '2-form');
    await fillDetails(page, 'Autumn Tea Sale');
    await approveButton(page).waitFor({ timeout: LONG_MS });
    await picture(page, '3-confirm');
    await approve(page);
    await progressBar(page).waitFor({ timeout: LONG_MS });
    await page.waitForFunction(() => Number(document.querySelector('progress')?.value) > 40);
    await picture(page, '4-progress');
    await seePoster(page);
    await page.getByText('is ready').first().waitFor({ timeout: LONG_MS });
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    await picture(page, '5-poster');
  });

  it('the campaign', async () => {
    await inStudio().studio.setJobDelay(600);
    const page = await newTab();
    await page.getByRole('button', { name: 'Plan a campaign for our autumn tea sale' }).click();
    await chooseStyle(page);
    await fillDetails(page, 'Autumn Tea Sale');
    await approve(page);
    await page.locator('.plinth-workspace audio').waitFor({ timeout: LONG_MS });
    await page.getByRole('button', { name: 'Answer again' }).waitFor({ timeout: LONG_MS });
    await page.waitForFunction(() => (document.querySelector('audio')?.duration ?? 0) > 5);
    await picture(page, '6-campaign');
  });

  it('the document that two write', async () => {
    const page = await newTab();
    await page.getByRole('button', { name: 'Write a brief for our autumn tea sale' }).click();
    await said(page, 'We both can change it');
    await ask(page, 'Make the goal shorter');
    await version(page, 2);
    await reading(page).getByText('Bring regular guests back after the summer.', { exact: true }).waitFor();
    await press(page, documentEnglish.edit);
    await replaceInEditor(page, 'Order the print', '- Order the print today');
    await editor(page).getByText('- Order the print today').waitFor();
    await page.keyboard.press('Control+s');
    await version(page, 3);
    await ask(page, 'Change the message to "Tea, and time."');
    await version(page, 4);
    await said(page, 'Everything else stands as it was');
    await press(page, documentEnglish.preview);
    await openVersions(page);
    await workspace(page)
      .getByRole('button', { name: /^Version 3/ })
      .waitFor();
    await picture(page, '7-document');
  });

  it('the inspector', async () => {
    const { visitor, studio } = inStudio();
    const page = await (await visitor()).tab(`${studio.pageUrl}?inspect=1`);
    await ask(page, 'a poster for our lantern walk');
    await styleChoice(page).waitFor({ state: 'attached', timeout: LONG_MS });
    await page.waitForFunction(() => document.querySelectorAll('.plinth-context-bar').length === 2);
    await picture(page, 'inspector');
  });

  it('two tabs that submit one form', async () => {
    inStudio().studio.sim.setLatency({ firstTokenMs: 300, perChunkMs: 40 });
    const ada = await inStudio().visitor();
    const one = await ada.context.newPage();
    const two = await ada.context.newPage();
    for (const page of [one, two]) {
      await page.setViewportSize({ width: 560, height: 800 });
      await showPointer(page);
    }
    await one.goto(inStudio().studio.pageUrl);
    await ask(one, 'a poster for our lantern walk');
    await chooseStyle(one);
    await headlineField(one).waitFor({ timeout: LONG_MS });
    await one.waitForURL(/thread=thr_/);
    await two.goto(one.url());
    await headlineField(two).waitFor({ timeout: LONG_MS });
    // Both have pressed the button before either heard of the other.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await two.route('**/v1/interrupts/*/answer', async (route) => {
      await held;
      await route.continue();
    });
    await Promise.all([one, two].map(atRest));

    const film = new TabsRecorder([
      { title: 'Tab 1', page: one },
      { title: 'Tab 2', page: two },
    ]);
    film.start();
    await Promise.all([write(one, 'Walk of Lanterns'), write(two, 'Lights in the Park')]);
    await Promise.all([one, two].map((page) => pressSlowly(page, submit(page))));
    await approveButton(one).waitFor({ timeout: LONG_MS });
    release();
    await two.getByText('You already answered this in another tab').waitFor({ timeout: LONG_MS });
    await approveButton(two).waitFor({ timeout: LONG_MS });
    await Promise.all([one, two].map(atRest));
    await film.save(`${FOLDER}/two-tabs.webp`);
  });
});

const submit = (page: Page) => page.getByRole('button', { name: 'Use these details', exact: true });

async function write(page: Page, headline: string): Promise<void> {
  const field = headlineField(page);
  await moveTo(page, field);
  await field.click();
  await field.press('Control+a');
  await field.pressSequentially(headline, { delay: 70 });
}

async function pressSlowly(page: Page, button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  await moveTo(page, button);
  await page.mouse.down();
  await page.waitForTimeout(300);
  await page.mouse.up();
}

async function moveTo(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('what the pointer is to go to is not in sight');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 12 });
}
