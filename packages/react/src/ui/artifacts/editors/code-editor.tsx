import type { ArtifactEditProps } from '../artifact-plugin.js';
import { TextEditor } from './text-editor.js';

/** A text in the hands of a person. */
export default function CodeEditor({ artifact, title, text, onChange, onSave }: ArtifactEditProps) {
  return <TextEditor artifact={artifact} title={title} text={text} onChange={onChange} onSave={onSave} />;
}
