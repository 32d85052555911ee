import { lazy } from 'react';
import type { ArtifactPlugin } from './artifact-plugin.js';
import { isTextArtifact } from './artifact-plugin.js';
import { AudioView } from './audio-view.js';
import { HtmlView } from './html-view.js';
import { ImageView } from './image-view.js';
import { MarkdownView } from './markdown-view.js';
import { PdfView } from './pdf-view.js';
import { VideoView } from './video-view.js';

// Each is a chunk of its own: a page that shows pictures alone never loads an editor.
const CodeView = lazy(() => import('./editors/code-view.js'));
const CodeEditor = lazy(() => import('./editors/code-editor.js'));
const TableView = lazy(() => import('./editors/table-view.js'));

/** What the workspace shows by itself. A host's plugin goes before them, whatever their order. */
export const BUILTIN_PLUGINS: readonly ArtifactPlugin[] = [
  { id: 'image', accepts: ['image'], priority: -10, view: ImageView },
  { id: 'audio', accepts: ['audio'], priority: -10, view: AudioView },
  { id: 'video', accepts: ['video'], priority: -10, view: VideoView },
  { id: 'pdf', accepts: ['pdf'], priority: -10, view: PdfView },
  { id: 'html', accepts: ['html'], priority: -10, view: HtmlView, edit: CodeEditor },
  {
    id: 'table',
    accepts: (artifact) => artifact.kind === 'table' && isTextArtifact(artifact),
    priority: -10,
    view: TableView,
    edit: CodeEditor,
  },
  {
    id: 'markdown',
    accepts: ({ kind, mimeType }) => kind === 'document' && mimeType === 'text/markdown',
    priority: -10,
    view: MarkdownView,
    edit: CodeEditor,
  },
  { id: 'code', accepts: isTextArtifact, priority: -20, view: CodeView, edit: CodeEditor },
];
