import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Presses Tab until the keyboard is on what the person is after, as they would; every stop on the way is to be seen. */
export async function tabTo(
  page: Page,
  name: string | RegExp,
  role: 'button' | 'textbox' | 'radio',
): Promise<void> {
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
