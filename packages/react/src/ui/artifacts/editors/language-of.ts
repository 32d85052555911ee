import type { LanguageSupport, StreamParser } from '@codemirror/language';
import type { ArtifactView } from '@plinth/protocol';

type Loaded = LanguageSupport | { legacy: StreamParser<unknown> };

/** By the type that the platform has detected; each is loaded when a text of it is opened. */
const BY_TYPE: Record<string, () => Promise<Loaded>> = {
  'text/markdown': async () => (await import('@codemirror/lang-markdown')).markdown(),
  'text/html': async () => (await import('@codemirror/lang-html')).html(),
  'text/css': async () => (await import('@codemirror/lang-css')).css(),
  'application/json': async () => (await import('@codemirror/lang-json')).json(),
  'text/javascript': async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  'text/x-typescript': async () =>
    (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true }),
  'text/x-python': async () => (await import('@codemirror/lang-python')).python(),
  'application/xml': async () => ({ legacy: (await import('@codemirror/legacy-modes/mode/xml')).xml }),
  'text/x-yaml': async () => ({ legacy: (await import('@codemirror/legacy-modes/mode/yaml')).yaml }),
  'text/x-shellscript': async () => ({ legacy: (await import('@codemirror/legacy-modes/mode/shell')).shell }),
  'text/x-sql': async () => ({ legacy: (await import('@codemirror/legacy-modes/mode/sql')).standardSQL }),
  'text/x-go': async () => ({ legacy: (await import('@codemirror/legacy-modes/mode/go')).go }),
  'text/x-rust': async () => ({ legacy: (await import('@codemirror/legacy-modes/mode/rust')).rust }),
  'text/x-java': async () => ({ legacy: (await import('@codemirror/legacy-modes/mode/clike')).java }),
  'text/x-c': async () => ({ legacy: (await import('@codemirror/legacy-modes/mode/clike')).c }),
  'text/x-c++': async () => ({ legacy: (await import('@codemirror/legacy-modes/mode/clike')).cpp }),
};

/** What colours a text; null where there is nothing to colour, or it could not be loaded. */
export async function languageOf({ mimeType }: Pick<ArtifactView, 'mimeType'>): Promise<Loaded | null> {
  const load = Object.hasOwn(BY_TYPE, mimeType) ? BY_TYPE[mimeType] : undefined;
  return load === undefined ? null : load().catch(() => null);
}
