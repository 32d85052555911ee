import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ArtifactStore, StoredFile, ToolOutcome } from '@plinth/engine';
import type { JsonValue, TenantId } from '@plinth/protocol';
import { detectArtifact } from '../../artifacts/detect-artifact.js';
import { CALLBACK_FILE_LIMITS } from '../callback-files.js';

const LONGEST_ERROR = 4000;

type Content = CallToolResult['content'][number];

interface FileContent {
  title: string;
  bytes: Uint8Array;
  contentType: string | undefined;
}

/** What a server's result is to the engine: a value for the model, and files that become artifacts. */
export async function outcomeOf(
  store: ArtifactStore,
  tenant: TenantId,
  tool: string,
  result: CallToolResult,
): Promise<ToolOutcome> {
  const said = result.content.flatMap(textOf).join('\n');
  if (result.isError)
    return {
      kind: 'failed',
      error: { code: 'remote_error', message: said.slice(0, LONGEST_ERROR) || NO_WORDS },
    };
  const files = result.content.flatMap((content, place) => fileOf(content, `${tool}-${place + 1}`));
  const tooLarge = sizeProblem(files);
  if (tooLarge !== null) return { kind: 'failed', error: { code: 'result_too_large', message: tooLarge } };
  const value = (result.structuredContent as JsonValue | undefined) ?? (said === '' ? null : said);
  const stored: StoredFile[] = [];
  for (const file of files) stored.push(await storeFile(store, tenant, file));
  return { kind: 'succeeded', value, files: stored };
}

const NO_WORDS = 'The tool failed and does not say why.';

function textOf(content: Content): string[] {
  switch (content.type) {
    case 'text':
      return [content.text];
    case 'resource_link':
      return [`${content.title ?? content.name}: ${content.uri}`];
    default:
      return [];
  }
}

function fileOf(content: Content, name: string): FileContent[] {
  switch (content.type) {
    case 'image':
    case 'audio':
      return [{ title: name, bytes: Buffer.from(content.data, 'base64'), contentType: content.mimeType }];
    case 'resource': {
      const { resource } = content;
      const bytes = 'text' in resource ? Buffer.from(resource.text) : Buffer.from(resource.blob, 'base64');
      return [{ title: nameOf(resource.uri) ?? name, bytes, contentType: resource.mimeType }];
    }
    default:
      return [];
  }
}

/** The last step of an address, as the name of a file. */
function nameOf(uri: string): string | null {
  const step = uri.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(step).slice(0, 200) || null;
  } catch {
    return step.slice(0, 200) || null;
  }
}

function sizeProblem(files: readonly FileContent[]): string | null {
  const { files: most, fileBytes, totalBytes } = CALLBACK_FILE_LIMITS;
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (files.length > most)
    return `The tool returned ${files.length} files; ${most} are taken. Ask for fewer.`;
  if (total > totalBytes || files.some(({ bytes }) => bytes.length > fileBytes))
    return `The tool returned files of ${total} bytes; ${fileBytes} each and ${totalBytes} together are taken. Ask for less.`;
  return null;
}

async function storeFile(store: ArtifactStore, tenant: TenantId, file: FileContent): Promise<StoredFile> {
  const { title, bytes, contentType } = file;
  const { kind, mimeType } = await detectArtifact(bytes, { name: title, contentType });
  return { title: withExtension(title, mimeType), kind, mimeType, ...(await store.put(tenant, bytes)) };
}

/** A picture has no name in a result: it gets one that says what it is. */
function withExtension(title: string, mimeType: string): string {
  if (/\.[a-z0-9]{1,8}$/i.test(title)) return title;
  const extension = /^(?:image|audio)\/([a-z0-9]+)/.exec(mimeType)?.[1];
  return extension === undefined ? title : `${title}.${extension}`;
}
