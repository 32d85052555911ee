// @vitest-environment jsdom
import { afterEach, describe, expect, test } from 'vitest';
import { draw, the, undraw } from './draw-for-test.js';
import { ThreadList } from './thread-list.js';
import { directionOf, UI_STRINGS, UiProvider, type UiProviderProps } from './ui-context.js';

afterEach(undraw);

function drawList(props: Omit<UiProviderProps, 'children'>): HTMLElement {
  const list = <ThreadList threads={[]} activeId={null} onSelect={() => undefined} onNew={() => undefined} />;
  return the(draw(<UiProvider {...props}>{list}</UiProvider>).box, 'nav');
}

describe('language and direction', () => {
  test.each([
    ['en', 'ltr'],
    ['zh-Hans', 'ltr'],
    ['ar', 'rtl'],
    ['he-IL', 'rtl'],
    ['fa', 'rtl'],
    ['ur-PK', 'rtl'],
    ['az-Arab', 'rtl'],
    ['ks-Deva', 'ltr'],
    ['art-x-lojban', 'ltr'],
  ])('%s is written %s', (locale, direction) => expect(directionOf(locale)).toBe(direction));

  test('a host brings a language of its own: its words, its locale, and the direction that follows', () => {
    const list = drawList({ locale: 'ar', strings: { threads: 'المحادثات', newThread: 'محادثة جديدة' } });
    expect([list.dir, list.lang, list.getAttribute('aria-label')]).toEqual(['rtl', 'ar', 'المحادثات']);
    expect(list.textContent).toContain('محادثة جديدة');
    expect(list.textContent).toContain(UI_STRINGS.en.noThreads);
  });

  test('without a locale the direction is the page’s, and `dir` decides over both', () => {
    expect(drawList({ language: 'en' }).hasAttribute('dir')).toBe(false);
    undraw();
    expect(drawList({ locale: 'ar', dir: 'ltr' }).dir).toBe('ltr');
  });

  test('another language below it takes that language’s texts, not the outer host’s', () => {
    const { box } = draw(
      <UiProvider language="en" strings={{ threads: 'Chats' }}>
        <UiProvider language="zh">
          <ThreadList threads={[]} activeId={null} onSelect={() => undefined} onNew={() => undefined} />
        </UiProvider>
      </UiProvider>,
    );
    expect(the(box, 'nav').getAttribute('aria-label')).toBe(UI_STRINGS.zh.threads);
    expect(the(box, 'nav').lang).toBe('zh');
  });
});
