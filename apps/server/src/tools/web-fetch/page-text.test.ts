import { describe, expect, test } from 'vitest';
import { pageText } from './page-text.js';

const paragraph =
  '<p>Tea is a drink, made of leaves, water and time, and it is <b>loved</b> in many countries, for many reasons. <a href="/more?x=1#y">More</a></p>';
const page = (body: string) =>
  pageText({
    html: `<!doctype html><html><head><title>Tea  time</title></head><body>${body}</body></html>`,
    url: 'https://tea.example/a/b',
  });

describe('what a page says', () => {
  test('is its article as Markdown, without what stands around it, with whole links', () => {
    const { title, text } = page(
      `<nav><a href="/x">Menu</a></nav><article><h2>Leaves</h2>${paragraph.repeat(5)}<pre><code>boil(100)</code></pre><ul><li>green</li></ul></article><script>alert(1)</script><footer>Imprint</footer>`,
    );
    expect(title).toBe('Tea time');
    expect(text).toContain('## Leaves');
    expect(text).toContain('**loved**');
    expect(text).toContain('[More](https://tea.example/more?x=1#y)');
    expect(text).toContain('```\nboil(100)\n```');
    expect(text).toMatch(/- +green/);
    expect(text).not.toMatch(/alert|Menu/);
  });

  test('is all of it where there is no article', () => {
    expect(page('<div>Closed on Mondays</div>').text).toContain('Closed on Mondays');
    expect(pageText({ html: 'Just <i>text</i>', url: 'https://a.example/' }).text).toBe('Just _text_');
    expect(page('')).toEqual({ title: 'Tea time', text: '' });
  });

  test('has no links that lead nowhere', () => {
    const { text } = page(
      `<article>${paragraph.repeat(5)}<p><a href="javascript:alert(1)">click</a> <a href="http://[">broken</a></p></article>`,
    );
    expect(text).toContain('click');
    expect(text).not.toMatch(/javascript:|http:\/\/\[/);
  });

  test('takes relative links from the base that the page names', () => {
    const html = `<html><head><base href="https://other.example/dir/"></head><body><article>${paragraph.repeat(4)}<a href="next">n</a></article></body></html>`;
    expect(pageText({ html, url: 'https://tea.example/' }).text).toContain(
      '(https://other.example/dir/next)',
    );
  });
});
