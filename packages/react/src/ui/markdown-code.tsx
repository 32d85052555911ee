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
            // biome-ignore lint/suspicious/noArrayIndexKey: chunks only ever grow at the end.
            <CodeChunk key={index} text={chunk} />
          ))}
          <CodeChunk text={codeText({ chunks: [], tail: block.tail })} />
        </code>
      </pre>
    </figure>
  );
}

/** The line end at the end of a chunk makes no line of its own, and is there for who copies. */
const CodeChunk = memo(function CodeChunk({ text }: { text: string }) {
  return <span className="plinth-code-chunk">{text.replace(/\r\n?/g, '\n')}</span>;
});
