import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import Turndown from 'turndown';

export interface PageText {
  title: string;
  /** Markdown. */
  text: string;
}

/** As much of the DOM as is used here: the server is not compiled with the types of browsers. */
interface PageNode {
  remove(): void;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  cloneNode(deep: boolean): PageNode;
}
interface Page {
  title: string;
  body: PageNode | null;
  querySelector(selector: string): PageNode | null;
  querySelectorAll(selector: string): Iterable<PageNode>;
}

const LONGEST_TITLE = 200;
const NOT_READ = 'script, style, noscript, template, svg, iframe, object, embed, canvas, form button';

/**
 * What a page says, as Markdown: its main part where one can be told from the rest (navigation, adverts), else all of
 * it. Links are made whole. Takes a time that grows with the square of an odd page: see `PageReader`.
 */
export function pageText({ html, url }: { html: string; url: string }): PageText {
  const whole = /<(html|body)[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const { document } = parseHTML(whole) as unknown as { document: Page };
  for (const element of document.querySelectorAll(NOT_READ)) element.remove();
  makeWhole(document, url);
  const everything = document.body?.cloneNode(true);
  const article = new Readability(document as never, { serializer: (node): unknown => node }).parse();
  const main = article?.content ?? everything;
  return {
    title: (article?.title ?? document.title ?? '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, LONGEST_TITLE)
      .replace(/[\uD800-\uDBFF]$/, ''),
    text: main ? markdownOf(main) : '',
  };
}

function markdownOf(node: unknown): string {
  const converter = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  converter.remove('img' as 'script');
  return converter
    .turndown(node as never)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function makeWhole(document: Page, url: string): void {
  const base = wholeUrl(document.querySelector('base[href]')?.getAttribute('href') ?? '', url) ?? url;
  for (const link of document.querySelectorAll('a[href]')) {
    const whole = wholeUrl(link.getAttribute('href') ?? '', base);
    if (whole === null) link.removeAttribute('href');
    else link.setAttribute('href', whole);
  }
}

/** Null for what leads nowhere that can be fetched: `javascript:`, `data:`. */
function wholeUrl(href: string, base: string): string | null {
  if (!URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  return url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'mailto:'
    ? url.href
    : null;
}
