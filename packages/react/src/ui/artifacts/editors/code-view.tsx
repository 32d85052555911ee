import type { ArtifactViewProps } from '../artifact-plugin.js';
import { TextEditor } from './text-editor.js';

/** A text with its colours, to be read. */
export default function CodeView({ artifact, title, text }: ArtifactViewProps) {
  return <TextEditor artifact={artifact} title={title} text={text ?? ''} />;
}
