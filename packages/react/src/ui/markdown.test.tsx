// @vitest-environment jsdom
import { afterEach, describe, expect, test } from 'vitest';
import { draw as drawNode, the, undraw } from './draw-for-test.js';
import { Markdown } from './markdown.js';
import { splitBlocks } from './markdown-blocks.js';
import { parseInline, safeHref } from './markdown-inline.js';

afterEach(undraw);

function draw(text: string): HTMLElement {
  return drawNode(<Markdown text={text} />).box;
}

describe('markdown', () => {
  test('paragraphs, emphasis, code and links', () => {
    const box = draw(
      'Hello **bold *both*** and *soft* `a < b`\n\n[site](https://example.com/a "t") and https://example.com/b.',
    );
    expect([...box.querySelectorAll('p')]).toHaveLength(2);
    expect(box.querySelector('strong')?.textContent).toBe('bold both');
    expect(box.querySelector('code')?.textContent).toBe('a < b');
    const links = [...box.querySelectorAll('a')].map((a) => [a.getAttribute('href'), a.textContent, a.rel]);
    expect(links).toEqual([
      ['https://example.com/a', 'site', 'noopener noreferrer nofollow'],
      ['https://example.com/b', 'https://example.com/b', 'noopener noreferrer nofollow'],
    ]);
  });

  test('emphasis works beside Chinese characters and not inside snake_case', () => {
    const box = draw('标题是**秋茶**，很_好_。 poster_details_form');
    expect(box.querySelector('strong')?.textContent).toBe('秋茶');
    expect(box.textContent).toContain('poster_details_form');
  });

  test('lists nest, keep their first number, and hold several paragraphs', () => {
    const box = draw('3. three\n   - inner *a*\n   - inner b\n\n   more\n4. four\n\nafter');
    const list = box.querySelector('ol');
    expect(list?.start).toBe(3);
    expect(list?.children).toHaveLength(2);
    expect([...box.querySelectorAll('ul > li')].map((li) => li.textContent)).toEqual(['inner a', 'inner b']);
    expect(box.querySelector('li > p')?.textContent).toBe('more');
    expect(box.lastElementChild?.lastElementChild?.textContent).toBe('after');
  });

  test('headings start below those of the page; quotes and rules', () => {
    const box = draw('# One #\n## Two\n> quoted\n> *more*\n\n---');
    expect(box.querySelector('h3')?.textContent).toBe('One');
    expect(box.querySelector('h4')?.textContent).toBe('Two');
    expect(box.querySelector('blockquote em')?.textContent).toBe('more');
    expect(box.querySelector('hr')).not.toBeNull();
  });

  test('a code block that is still streaming is drawn as code, and nothing in it is markdown', () => {
    const open = draw('Look:\n\n```ts\nconst a = "**b**";\n\n# no heading');
    expect(open.querySelector('pre')?.textContent).toBe('const a = "**b**";\n\n# no heading');
    expect(open.querySelector('strong, h3')).toBeNull();
    expect(open.querySelector('figcaption span')?.textContent).toBe('ts');
    undraw();
    const closed = draw('````\n```\n````\nafter');
    expect(closed.querySelector('pre')?.textContent).toBe('```');
    expect(closed.querySelector('p')?.textContent).toBe('after');
  });

  test('while a text streams in, finished blocks stay the same and no prefix breaks', () => {
    const text =
      '# Poster\n\nHello **you** and `code`\n\n- one\n- two\n\n```js\nlet a;\n```\n\n[a](https://b.example)';
    const whole = splitBlocks(text);
    const { box, redraw } = drawNode(<Markdown text="" />);
    for (let length = 0; length <= text.length; length += 1) {
      const prefix = splitBlocks(text.slice(0, length));
      expect(prefix.slice(0, -1)).toEqual(whole.slice(0, Math.max(0, prefix.length - 1)));
      redraw(<Markdown text={text.slice(0, length)} />);
    }
    expect(box.querySelector('a')?.textContent).toBe('a');
  });

  test('while the last block grows, nothing before it changes in the document', async () => {
    const done = `# One\n\n${'text '.repeat(20)}\n\n- a\n- b\n\n`;
    const lines = `${'const a = 1;\n'.repeat(200)}`;
    const { box, redraw } = drawNode(<Markdown text={`${done}\`\`\`js\n${lines}`} />);
    const code = the(box, 'code');
    const seen: Node[] = [];
    const observer = new MutationObserver((records) => seen.push(...records.map((record) => record.target)));
    observer.observe(box, { childList: true, characterData: true, attributes: true, subtree: true });
    redraw(<Markdown text={`${done}\`\`\`js\n${lines}let b`} />);
    await Promise.resolve();
    observer.disconnect();
    const tail = code.lastElementChild;
    expect(seen.length).toBeGreaterThan(0);
    for (const node of seen) expect(tail?.contains(node)).toBe(true);
    expect(tail?.textContent).toBe('let b');
    expect(code.textContent).toBe(`${lines}let b`);
  });

  test('a long line is drawn as pieces in one line, and the lines around it as they are', async () => {
    const long = 'const answer=42;'.repeat(500);
    const box = draw(`\`\`\`js\nfirst\n${long}\nlast\n\`\`\``);
    const code = the(box, 'code');
    expect(code.textContent).toBe(`first\n${long}\nlast`);
    const [first, ...others] = code.children;
    expect(first?.className).toBe('plinth-code-chunk');
    expect(others.at(-1)?.className).toBe('plinth-code-chunk');
    expect(others.slice(0, -1).map(({ className }) => className)).toEqual(
      Array.from({ length: 4 }, () => 'plinth-code-piece'),
    );
    expect(others.at(-2)?.textContent).toMatch(/[^\n]\n$/);
  });

  test('a table has a header cell for each column, and rows are filled up to them', () => {
    const box = draw('| Name | Price |\n|:-----|------:|\n| **Tea** | 4 |\n| Cup |');
    expect([...box.querySelectorAll('th')].map((cell) => [cell.scope, cell.textContent])).toEqual([
      ['col', 'Name'],
      ['col', 'Price'],
    ]);
    expect(box.querySelector('td strong')?.textContent).toBe('Tea');
    expect([...box.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual(['Tea', '4', 'Cup', '']);
    expect(box.querySelectorAll('td')[1]?.style.textAlign).toBe('end');
  });

  test('hostile depth is drawn flat at some point', () => {
    expect(draw(`${'>'.repeat(5000)} deep`).textContent).toContain('deep');
    expect(draw(`${'  '.repeat(200)}- x\n`.repeat(50)).querySelectorAll('li').length).toBeGreaterThan(0);
  });

  // Linear time is some 100 ms here; quadratic time, which each of these once provoked, is minutes.
  test.each(['[', '**a ', '_a ', '*_', '`a``b', '![a](', 'https://'])(
    '%j without end is read within a moment',
    (piece) => {
      const started = performance.now();
      parseInline(piece.repeat(60_000));
      expect(performance.now() - started).toBeLessThan(4000);
    },
  );
});

describe('markdown from a hostile writer', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '**<b onclick="alert(1)">x</b>**',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#115;cript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:msgbox)',
    '![x](javascript:alert(1))',
    '[x](https://a.example/"onmouseover="alert(1))',
    '```html\n<script>alert(1)</script>\n```',
    '<javascript:alert(1)>',
  ])('%s makes no element, attribute or address that could run', (text) => {
    const box = draw(text);
    expect(box.querySelector('script, img, b, iframe')).toBeNull();
    for (const element of box.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on/);
        if (name === 'href') expect(value).toMatch(/^(https?:\/\/|mailto:)/);
      }
    }
  });

  test('an image is a link: reading a message loads nothing', () => {
    const box = draw('![a cat](https://tracker.example/p.png)');
    expect(box.querySelector('img')).toBeNull();
    expect(box.querySelector('a')?.textContent).toBe('a cat');
  });

  test.each([
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    '//evil.example',
    '/local',
    'file:///etc/passwd',
  ])('the address %j is refused', (address) => expect(safeHref(address)).toBeNull());
});
