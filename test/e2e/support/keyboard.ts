import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Presses Tab until the keyboard is on what the person is after, as they would; every stop on the way is to be seen. */
export async function tabTo(
  page: Page,
  name: string | RegExp,
  role: 'button' | 'textbox' | 'radio',
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: typeof name === 'string' });
  const isThere = () => wanted.first().evaluate((element) => element.matches(':focus'));
  // In an editor Tab would indent.
  if ((await wanted.count()) > 0 && (await isThere())) return;
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press(key);
    // An editor draws its ring a moment after it has the keyboard.
    await expect
      .poll(() => showsFocus(page), {
        message: `the stop after ${press + 1} presses on the way to ${name} shows no focus`,
      })
      .toBe(true);
    if (await isThere()) return;
  }
  throw new Error(`60 presses of Tab do not reach ${name}`);
}

const showsFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    // An editor is in a tree of its own.
    const focused = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
    if (focused === null || focused === document.body) return true;
    // What is drawn by the box around it (a card for its radio, the composer for its field) shows the ring there.
    const boxes = [
      focused,
      focused.closest('label'),
      focused.closest('.plinth-composer-box'),
      focused.closest('.cm-editor'),
    ];
    return boxes.some((box) => box !== null && getComputedStyle(box).outlineStyle !== 'none');
  });
