import { createContext, memo, type ReactNode, useContext, useMemo, useState } from 'react';
import { type Block, createBlockReader, readList, splitBlocks } from './markdown-blocks.js';
import { MarkdownCode } from './markdown-code.js';
import { Inline } from './markdown-inline-text.js';
import { MarkdownTable } from './markdown-table.js';
import { useSteadyGrowth } from './use-steady-growth.js';

const MAX_DEPTH = 6;

const Depth = createContext(0);

export type MarkdownProps = {
  text: string;
  /** More of it is to come: what comes fast is then drawn over several frames. */
  streaming?: boolean;
};

/**
 * Draws markdown as React elements. No HTML string is ever made, so markup in the text stays text.
 * Blocks are memoised by what they were cut from: a streaming answer reads and draws only its last block again.
 */
export const Markdown = memo(function Markdown({ text, streaming = false }: MarkdownProps) {
  return (
    <div className="plinth-markdown">
      <Blocks text={useSteadyGrowth(text, streaming)} />
    </div>
  );
});

function Blocks({ text }: { text: string }) {
  const [read] = useState(createBlockReader);
  return read(text).map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end.
    <BlockView key={index} block={block} />
  ));
}

const BlockView = memo(function BlockView({ block }: { block: Block }) {
  const depth = useContext(Depth);
  switch (block.kind) {
    case 'heading':
      return <Heading source={block.source} />;
    case 'code':
      return <MarkdownCode block={block} />;
    case 'table':
      return <MarkdownTable source={block.source} />;
    case 'rule':
      return <hr />;
    case 'list':
      if (depth < MAX_DEPTH) return <List source={block.source} />;
      break;
    case 'quote':
      if (depth < MAX_DEPTH) return <Quote source={block.source} />;
      break;
    case 'paragraph':
      break;
  }
  return (
    <p dir="auto">
      <Inline text={block.source} />
    </p>
  );
});

/** Headings of a message lie below those of the page: `#` is drawn as h3. */
function Heading({ source }: { source: string }) {
  const level = /^#+/.exec(source)?.[0].length ?? 1;
  const Tag = level === 1 ? 'h3' : level === 2 ? 'h4' : level === 3 ? 'h5' : 'h6';
  return (
    <Tag dir="auto">
      <Inline
        text={source
          .slice(level)
          .replace(/\s+#+\s*$/, '')
          .trim()}
      />
    </Tag>
  );
}

function Deeper({ children }: { children: ReactNode }) {
  return <Depth.Provider value={useContext(Depth) + 1}>{children}</Depth.Provider>;
}

function Quote({ source }: { source: string }) {
  return (
    <blockquote dir="auto">
      <Deeper>
        <Blocks text={source.replace(/^ {0,3}> ?/gm, '')} />
      </Deeper>
    </blockquote>
  );
}

function List({ source }: { source: string }) {
  const { ordered, start, items } = useMemo(() => readList(source), [source]);
  const drawn = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items only ever grow at the end.
    <ListItem key={index} text={item} />
  ));
  return (
    <Deeper>
      {ordered ? (
        <ol dir="auto" start={start}>
          {drawn}
        </ol>
      ) : (
        <ul dir="auto">{drawn}</ul>
      )}
    </Deeper>
  );
}

/** The first paragraph of an item stands beside its bullet, without a paragraph's distance. */
const ListItem = memo(function ListItem({ text }: { text: string }) {
  const [first, second] = useMemo(() => splitBlocks(text), [text]);
  if (first?.kind !== 'paragraph')
    return (
      <li>
        <Blocks text={text} />
      </li>
    );
  return (
    <li>
      <Inline text={first.source} />
      {second !== undefined && <Blocks text={text.slice(second.start)} />}
    </li>
  );
});
