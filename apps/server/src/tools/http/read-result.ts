import type { ArtifactStore, StoredFile, ToolOutcome } from '@plinth/engine';
import type { HttpExecutorSpec, JsonValue, TenantId } from '@plinth/protocol';
import { detectArtifact } from '../../artifacts/detect-artifact.js';
import type { OutboundResponse } from '../../platform/outbound/outbound-client.js';
import { OutboundError } from '../../platform/outbound/outbound-failure.js';
import { decodeText } from './decode-text.js';
import { fileNameOf } from './file-name.js';
import { formOf } from './response-plan.js';

export interface ResultContext {
  artifacts: ArtifactStore;
  tenant: TenantId;
  /** Names a file that has no name of its own. */
  toolKey: string;
  redact: <T extends JsonValue>(value: T) => T;
}

/**
 * What the model gets of a good answer: the JSON or a part of it, the text, or a file that was stored.
 *
 * @throws OutboundError `unsupported_content` when it is not what it says that it is
 */
export async function readResult(
  response: OutboundResponse,
  wanted: HttpExecutorSpec['response'],
  context: ResultContext,
): Promise<ToolOutcome> {
  const { body, status } = response;
  const succeeded = (value: JsonValue, files: StoredFile[] = []): ToolOutcome => ({
    kind: 'succeeded',
    value: context.redact(value),
    files,
  });
  if (body.length === 0) return succeeded({ status });
  const form = formOf(wanted.as, response);
  if (form === 'json') return succeeded(selected(parseJson(body), wanted.select));
  if (form === 'text') return succeeded(decodeText(body, response.headers['content-type'] ?? ''));
  const file = await storeFile(response, context);
  return succeeded({ file: file.title, mimeType: file.mimeType, sizeBytes: file.sizeBytes }, [file]);
}

/** Deeper JSON has no use to a model, and could not be written again: that takes a stack as deep. */
const DEEPEST_JSON = 100;

function parseJson(body: Uint8Array): JsonValue {
  // A byte order mark is no JSON, and is sent all the same: the decoder drops it.
  const text = new TextDecoder('utf-8').decode(body);
  if (depthOf(text) > DEEPEST_JSON)
    throw new OutboundError('unsupported_content', 'sent JSON that is nested too deeply');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new OutboundError('unsupported_content', 'sent text that is not JSON');
  }
}

/** How deep lists and objects are nested. Brackets inside texts do not count. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/** @param pointer RFC 6901 */
function selected(value: JsonValue, pointer = ''): JsonValue {
  let at: JsonValue | undefined = value;
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere: boolean = typeof at === 'object' && at !== null && Object.hasOwn(at, step);
    at = isThere ? (at as Record<string, JsonValue>)[step] : undefined;
    if (at === undefined)
      throw new OutboundError('unsupported_content', `sent JSON that has nothing at ${pointer}`);
  }
  return at;
}

async function storeFile(
  { headers, body, url, contentType }: OutboundResponse,
  { artifacts, tenant, toolKey, redact }: ResultContext,
): Promise<StoredFile> {
  const title = redact(fileNameOf(headers['content-disposition'], url, toolKey));
  const { kind, mimeType } = await detectArtifact(body, { name: title, contentType });
  return { title, kind, mimeType, ...(await artifacts.put(tenant, body)) };
}
