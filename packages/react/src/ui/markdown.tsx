import { memo, type ReactNode, useMemo } from 'react';
import { CopyButton } from './copy-button.js';
import { type RawBlock, readCode, readList, splitBlocks } from './markdown-blocks.js';
import { type InlineNode, parseInline } from './markdown-inline.js';

const MAX_DEPTH = 6;

/**
 * Draws markdown as React elements. No HTML string is ever made, so markup in the text stays text.
 * Blocks are memoised by their source: a streaming answer draws only its last block again.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className="plinth-markdown">{drawBlocks(text, 0)}</div>;
});

function drawBlocks(text: string, depth: number): ReactNode[] {
  return splitBlocks(text).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end.
    <Block key={index} kind={block.kind} source={block.lines.join('\n')} depth={depth} />
  ));
}

type BlockProps = { kind: RawBlock['kind']; source: string; depth: number };

const Block = memo(function Block({ kind, source, depth }: BlockProps) {
  switch (kind) {
    case 'heading':
      return <Heading source={source} />;
    case 'code':
      return <Code source={source} />;
    case 'rule':
      return <hr />;
    case 'list':
      if (depth < MAX_DEPTH) return <List source={source} depth={depth} />;
      break;
    case 'quote':
      if (depth < MAX_DEPTH)
        return <blockquote>{drawBlocks(source.replace(/^ {0,3}> ?/gm, ''), depth + 1)}</blockquote>;
      break;
    case 'paragraph':
      break;
  }
  return (
    <p>
      <Inline text={source} />
    </p>
  );
});

/** Headings of a message lie below those of the page: `#` is drawn as h3. */
function Heading({ source }: { source: string }) {
  const level = /^#+/.exec(source)?.[0].length ?? 1;
  const Tag = level === 1 ? 'h3' : level === 2 ? 'h4' : level === 3 ? 'h5' : 'h6';
  return (
    <Tag>
      <Inline
        text={source
          .slice(level)
          .replace(/\s+#+\s*$/, '')
          .trim()}
      />
    </Tag>
  );
}

function Code({ source }: { source: string }) {
  const { language, code } = useMemo(() => readCode(source.split('\n')), [source]);
  return (
    <figure className="plinth-code">
      <figcaption>
        <span>{language}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}

function List({ source, depth }: { source: string; depth: number }) {
  const { ordered, start, items } = readList(source.split('\n'));
  const drawn = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items only ever grow at the end.
    <li key={index}>{drawItem(item.lines.join('\n'), depth)}</li>
  ));
  return ordered ? <ol start={start}>{drawn}</ol> : <ul>{drawn}</ul>;
}

/** The first paragraph of an item stands beside its bullet, without a paragraph's distance. */
function drawItem(text: string, depth: number): ReactNode {
  const [first, ...rest] = splitBlocks(text);
  if (first?.kind !== 'paragraph') return drawBlocks(text, depth + 1);
  return (
    <>
      <Inline text={first.lines.join('\n')} />
      {rest.length > 0 && drawBlocks(rest.map((block) => block.lines.join('\n')).join('\n\n'), depth + 1)}
    </>
  );
}

function Inline({ text }: { text: string }) {
  return <>{parseInline(text).map(drawInline)}</>;
}

function drawInline(node: InlineNode, index: number): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'break':
      return <br key={index} />;
    case 'code':
      return <code key={index}>{node.text}</code>;
    case 'strong':
      return <strong key={index}>{node.children.map(drawInline)}</strong>;
    case 'emphasis':
      return <em key={index}>{node.children.map(drawInline)}</em>;
    case 'link':
      return (
        <a key={index} href={node.href} target="_blank" rel="noopener noreferrer nofollow">
          {node.children.map(drawInline)}
        </a>
      );
  }
}
