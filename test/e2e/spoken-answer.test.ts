import { posterStudio, scripted } from '@plinth/model-sim';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { said } from './support/document-steps.js';
import { ask, chinese } from './support/poster-steps.js';
import { withStudio } from './support/with-studio.js';

const inStudio = withStudio({ firstTokenMs: 30, perChunkMs: 8 });

afterEach(() => inStudio().studio.sim.setScenarios([posterStudio]));

interface Region {
  live: string;
  atomic: boolean;
  texts: string[];
}

/** The regions that a screen reader listens to, as Chromium's accessibility tree has them. */
async function liveRegions(page: Page): Promise<Region[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const textsOf = (id: string): string[] => {
    const node = byId.get(id);
    if (node === undefined) return [];
    if (node.role?.value === 'StaticText') return [String(node.name?.value ?? '')];
    return (node.childIds ?? []).flatMap(textsOf);
  };
  const property = (node: (typeof nodes)[number], name: string) =>
    node.properties?.find((one) => one.name === name)?.value.value;
  return nodes
    .filter((node) => ['polite', 'assertive'].includes(property(node, 'live')))
    .filter((node) => property(node, 'root') === undefined || node.properties !== undefined)
    .map((node) => ({
      live: property(node, 'live'),
      atomic: property(node, 'atomic') === true,
      texts: textsOf(node.nodeId),
    }));
}

/** From now on notes every text that is added to a live region: what a screen reader is given to read. */
async function listen(page: Page): Promise<void> {
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const isLive = (element: Element | null) =>
      element?.closest('[aria-live=polite], [role=status], [role=alert]') != null;
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes) {
        if (type === 'characterData' && isLive(target.parentElement)) heard.push(target.textContent ?? '');
        for (const node of addedNodes)
          if (isLive(node.parentElement) && node.textContent) heard.push(node.textContent);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}
const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: string[] }).heard);

const SENTENCES = Array.from(
  { length: 14 },
  (_, index) => `The sentence number ${index + 1} tells of the tea.`,
);

it('a screen reader is given the answer sentence by sentence, and its end; never the whole of it again', async () => {
  const { studio, visitor } = inStudio();
  studio.sim.setScenarios([
    scripted([{ text: `${SENTENCES.join(' ')}\n\n\`\`\`js\nconst tea = 1;\n\`\`\`` }]),
  ]);
  const page = await (await visitor()).tab();
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  await listen(page);
  await ask(page, 'tell me of the tea');
  await said(page, SENTENCES.at(-1) ?? '');
  await page.getByRole('button', { name: 'Answer again' }).waitFor();
  await expect.poll(async () => (await heard(page)).at(-1)).toBe('Answer complete.');
  const spoken = (await heard(page)).filter((text) => text.includes('tells of the tea'));
  expect(spoken).toEqual(SENTENCES);
  expect((await heard(page)).join('\n')).not.toContain('const tea');
  expect((await heard(page)).filter((text) => text === 'A block of code.')).toHaveLength(1);

  const regions = await liveRegions(page);
  const reader = regions.find(({ texts }) => texts.includes('Answer complete.'));
  expect(reader).toMatchObject({ live: 'polite', atomic: false });
  for (const { texts } of regions) expect(texts.join(' ').length).toBeLessThan(SENTENCES.join(' ').length);
  // After a reload nobody is read what they have read.
  await page.reload();
  await page.getByRole('button', { name: 'Answer again' }).waitFor();
  const after = (await liveRegions(page)).flatMap(({ texts }) => texts);
  expect(after.filter((text) => text.includes('tea'))).toEqual([]);
});

it('in Chinese a sentence ends with its own mark', async () => {
  const { studio, visitor } = inStudio();
  const sentences = [
    '海报已经画好了，挂在右边的工作区里，您可以随时放大查看。',
    '如果需要修改，请直接告诉我您想要的颜色、文字或者尺寸。',
  ];
  studio.sim.setScenarios([scripted([{ text: sentences.join('') }])]);
  const page = await (await visitor({ locale: 'zh-CN' })).tab();
  await page.getByRole('textbox', { name: chinese.message, exact: true }).waitFor();
  await listen(page);
  await ask(page, '画好了吗', chinese);
  await expect.poll(async () => (await heard(page)).slice(-3)).toEqual([...sentences, '回答完成。']);
});
