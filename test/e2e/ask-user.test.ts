import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/axe.js';
import { said } from './support/document-steps.js';
import { look } from './support/look.js';
import { ask, chinese, english, type Words } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio();
const tool: JsonObject = { key: 'ask_user', executor: { kind: 'builtin', name: 'ask_user' } };
const SIZES = [
  { value: 'a4', label: 'A4', description: 'Fits every printer' },
  { value: 'a3', label: 'A3' },
  { value: 'window', label: 'Shop window', description: '120 × 180 cm, printed elsewhere' },
];
const FORM = {
  question: 'A few things about the print.',
  fields: [
    { name: 'size', label: 'Size', type: 'choice', options: SIZES },
    {
      name: 'extras',
      label: 'Extras',
      type: 'choices',
      options: [
        { value: 'frame', label: 'Frame' },
        { value: 'glass', label: 'Glass' },
      ],
      required: false,
    },
    { name: 'copies', label: 'Copies', type: 'number', min: 1, max: 50 },
    { name: 'glossy', label: 'Glossy paper?', type: 'yes_no' },
    { name: 'note', label: 'For the printer', type: 'long_text', required: false },
  ],
};

/** The content of the tool message that the model was sent last. */
function answered(): string {
  const { messages } = JSON.parse(inStudio().studio.sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string }[];
  };
  return messages.findLast(({ role }) => role === 'tool')?.content ?? '';
}

async function asking(given: object, locale = 'en-GB', words: Words = english): Promise<Page> {
  const { studio, visitor } = inStudio();
  await studio.addTools(tool);
  studio.sim.setScenarios([
    scripted([
      { toolCalls: [{ name: 'ask_user', arguments: given as JsonObject }] },
      { text: 'Noted, thanks.' },
    ]),
  ]);
  const page = await (await visitor({ locale })).tab();
  await ask(page, 'print it', words);
  return page;
}

it('a question with options is answered by the keyboard alone, and is still there after a reload', async () => {
  const page = await asking({ question: 'Which size shall it have?', options: SIZES });
  const group = () => page.getByRole('group', { name: 'Which size shall it have?' });
  await group().waitFor();
  await look(page, 'ask-choice');
  await expectAccessible(page, 'a choice');
  await page.reload();
  await group().waitFor();
  await page.getByRole('button', { name: /^A4/ }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await said(page, 'Noted, thanks.');
  expect(answered()).toBe('{"answer":"a3"}');
});

it('a form says what is missing, takes the answer in its types, and fits a narrow dark page', async () => {
  const page = await asking(FORM);
  const send = page.getByRole('button', { name: 'Send answer' });
  await send.waitFor();
  await look(page, 'ask-form');
  await page.setViewportSize({ width: 380, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await send.click();
  await page.getByRole('alert').waitFor();
  await look(page, 'ask-form-narrow-dark');
  await expectAccessible(page, 'a form of questions with problems');
  await page.emulateMedia({ colorScheme: 'dark' });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.getByRole('radio', { name: /Shop window/ }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: 'Glass' }).check();
  await page.getByLabel('Copies').fill('12');
  await page.getByRole('radio', { name: 'Yes' }).check();
  await send.click();
  await said(page, 'Noted, thanks.');
  expect(JSON.parse(answered())).toEqual({ size: 'window', extras: ['glass'], copies: 12, glossy: true });
});

it('in Chinese, a question without options takes a text', async () => {
  const page = await asking({ question: '海报上要写什么?' }, 'zh-CN', chinese);
  await page.getByRole('textbox', { name: '海报上要写什么?' }).fill('冬季集市');
  await look(page, 'ask-text-zh');
  await page.getByRole('button', { name: '提交回答' }).click();
  await said(page, 'Noted, thanks.');
  expect(answered()).toBe('{"answer":"冬季集市"}');
});
