import { memo } from 'react';
import { CopyButton } from './copy-button.js';
import { type CodeBlock, codeText } from './markdown-code-block.js';

/** A code block. Its finished chunks are elements of their own, so that the browser lays out only the last one again. */
export function MarkdownCode({ block }: { block: CodeBlock }) {
  return (
    <figure className="plinth-code" dir="ltr">
      <figcaption>
        <span>{block.language}</span>
        <CopyButton text={() => codeText(block)} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>
          {block.chunks.map((chunk, index) => (
            <CodeChunk
              // biome-ignore lint/suspicious/noArrayIndexKey: chunks only ever grow at the end.
              key={index}
              text={chunk}
              isPiece={!endsLine(chunk) || (index > 0 && !endsLine(block.chunks[index - 1]))}
            />
          ))}
          <CodeChunk text={codeText({ chunks: [], tail: block.tail })} isPiece={block.isInLine} />
        </code>
      </pre>
    </figure>
  );
}

const endsLine = (chunk = '') => /[\r\n]$/.test(chunk);

/**
 * The line end at the end of a chunk makes no line of its own, and is there for who copies. A piece of a long line is a
 * box in that line, so that the browser lays out none of the others again.
 */
const CodeChunk = memo(function CodeChunk({ text, isPiece }: { text: string; isPiece: boolean }) {
  return (
    <span className={isPiece ? 'plinth-code-piece' : 'plinth-code-chunk'}>
      {text.replace(/\r\n?/g, '\n')}
    </span>
  );
});
