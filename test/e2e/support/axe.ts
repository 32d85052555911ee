import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const SOURCE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  impact: string | null;
  nodes: { target: unknown[]; any: { message: string }[] }[];
}

/** What axe finds of the impact "serious" or "critical", one line each. */
async function findingsOn(page: Page): Promise<string[]> {
  await page.evaluate(await SOURCE);
  const { violations } = await page.evaluate(() => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: Finding[] }> };
    };
    return axe.run({ resultTypes: ['violations'] });
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => `${id} ${target.join(' ')} ${any[0]?.message ?? ''}`),
    );
}

/** Nothing is drawn while it still fades in: axe would measure a colour that nobody gets to read. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document.getAnimations().map((animation) => {
        const { iterations } = animation.effect?.getTiming() ?? {};
        return iterations === Number.POSITIVE_INFINITY ? null : animation.finished.catch(() => null);
      }),
    ),
  );
}

/**
 * The screen as it stands has no serious finding, in light and dark, and at 320 px nothing is cut off at the side.
 *
 * @param options `narrow`: the button that leads to it where chat and workspace share the place
 */
export async function expectAccessible(
  page: Page,
  screen: string,
  { narrow }: { narrow?: string } = {},
): Promise<void> {
  const themes = ['light', 'dark'] as const;
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await atRest(page);
    expect({ screen, theme, findings: await findingsOn(page) }).toEqual({ screen, theme, findings: [] });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const size = page.viewportSize() ?? { width: 1280, height: 860 };
  await page.setViewportSize({ width: 320, height: 640 });
  if (narrow !== undefined) await page.getByRole('button', { name: narrow, exact: true }).click();
  await atRest(page);
  expect({ screen, width: 320, findings: await findingsOn(page), tooWide: await tooWide(page) }).toEqual({
    screen,
    width: 320,
    findings: [],
    tooWide: [],
  });
  await page.setViewportSize(size);
}

/** What reaches over the right or left edge of the window and cannot be scrolled to inside of its own box. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { left, right, width: own } = element.getBoundingClientRect();
        const isSeen = own > 1 && getComputedStyle(element).visibility === 'visible';
        return isSeen && (right > width + 1 || left < -1) && !scrolls(element.parentElement);
      })
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
  });
}
