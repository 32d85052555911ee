import { posterStudio, scripted } from '@plinth/model-sim';
import { afterEach, expect, it } from 'vitest';
import { expectAccessible, tooWide } from './support/axe.js';
import { tabTo } from './support/keyboard.js';
import { look } from './support/look.js';
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

afterEach(() => inStudio().studio.sim.setScenarios([posterStudio]));

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
  await page.getByRole('button', { name: 'Your work' }).click();
  await expectAccessible(page, 'the list as a drawer');
});

it('neither has what a model writes, what it asks, or a thread that loads or fails to', {
  timeout: 180_000,
}, async () => {
  const { studio, visitor } = inStudio();
  const { context, tab } = await visitor();
  const page = await tab();
  studio.sim.setScenarios([
    scripted([
      {
        reasoning: 'They want to see everything.',
        text: '# A title\n\n- one\n- [a link](https://example.com)\n\n```js\nconst a = 1;\n```\n\n| Name | Price |\n|---|---:|\n| Tea | 4 |\n\n> quoted',
      },
    ]),
  ]);
  await ask(page, 'show me everything');
  await page.getByText('quoted').first().waitFor();
  await page.getByRole('button', { name: 'Answer again' }).waitFor();
  await expectAccessible(page, 'an answer with markdown');
  await page.getByRole('button', { name: 'Edit message' }).click();
  await expectAccessible(page, 'a message that is edited');
  const url = page.url();
  await page.close();

  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route('**/v1/threads/*/messages**', async (route) => {
    await held;
    // Refused for good: what may pass is tried again, and the page goes on loading.
    await route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{}' });
  });
  const later = await tab(url);
  await later.getByRole('status', { name: 'Loading the conversation' }).waitFor();
  await expectAccessible(later, 'loading');
  release();
  await later.getByText('The conversation could not be loaded.').waitFor({ timeout: 60_000 });
  await expectAccessible(later, 'could not be loaded');
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

it('a page that runs from right to left: nothing is cut off, and each text has the direction of its own', async () => {
  const { studio, visitor } = inStudio();
  studio.sim.setScenarios([
    scripted([
      {
        text: 'سأرسم ملصق **مهرجان الشاي** الآن.\n\n1. اللون: أخضر\n2. הגודל: A3\n\nThe file is `poster.png`.\n\n```js\nconst size = "A3";\n```',
      },
    ]),
  ]);
  const page = await (await visitor()).tab();
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
  });
  await ask(page, 'أريد ملصقًا لمهرجان الشاي، size A3');
  await page.getByRole('button', { name: 'Answer again' }).waitFor();
  await expectAccessible(page, 'right to left');
  await look(page, 'rtl-chat');
  const shown = await page.evaluate(() => {
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const directionOf = (selector: string) => {
      const element = document.querySelector(selector);
      return element === null ? null : getComputedStyle(element).direction;
    };
    // Measured from the chat's own edges.
    const chat = box('.plinth-column');
    const fromLeft = (selector: string) => (box(selector)?.left ?? 0) - (chat?.left ?? 0);
    const fromRight = (selector: string) => (chat?.right ?? 0) - (box(selector)?.right ?? 0);
    const middle = innerWidth / 2;
    return {
      bubbleIsAtTheEnd: fromLeft('.plinth-bubble') < fromRight('.plinth-bubble'),
      listIsAtTheStart: (box('.plinth-threads')?.left ?? 0) > middle,
      arabic: directionOf('.plinth-markdown p'),
      english: directionOf('.plinth-markdown p:nth-of-type(2)'),
      code: directionOf('.plinth-code pre'),
    };
  });
  expect(shown).toEqual({
    bubbleIsAtTheEnd: true,
    listIsAtTheStart: true,
    arabic: 'rtl',
    english: 'ltr',
    code: 'ltr',
  });
  expect(await tooWide(page)).toEqual([]);
});

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

it('the theme is that of the system, the page decides over it, and its colours win over ours', async () => {
  const { visitor } = inStudio();
  const page = await (await visitor()).tab();
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  const colorOf = (selector: string) =>
    page.evaluate(
      (one) => getComputedStyle(document.querySelector(one) as Element).backgroundColor,
      selector,
    );
  const light = await colorOf('.plinth-chat');
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await colorOf('.plinth-chat');
  expect(dark).not.toBe(light);
  await page.evaluate(() => {
    document.documentElement.dataset.plinthTheme = 'light';
  });
  expect(await colorOf('.plinth-chat')).toBe(light);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { --plinth-accent: rgb(1, 2, 3); }');
    document.adoptedStyleSheets = [sheet];
  });
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('x');
  expect(await colorOf('.plinth-round--send')).toBe('rgb(1, 2, 3)');
});
