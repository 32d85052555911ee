import { memo, type ReactNode } from 'react';
import { type InlineNode, parseInline } from './markdown-inline.js';

/** The text of one block with its emphasis, code and links. */
export const Inline = memo(function Inline({ text }: { text: string }) {
  return <>{parseInline(text).map(drawInline)}</>;
});

function drawInline(node: InlineNode, index: number): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'break':
      return <br key={index} />;
    case 'code':
      return (
        <code key={index} dir="ltr">
          {node.text}
        </code>
      );
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
