import { Markdown } from '../markdown.js';
import type { ArtifactViewProps } from './artifact-plugin.js';

/** A Markdown document, as it is read. */
export function MarkdownView({ text, title }: ArtifactViewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <section className="plinth-document" aria-label={title} tabIndex={0}>
      <Markdown text={text ?? ''} />
    </section>
  );
}
