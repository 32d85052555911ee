import type { HttpExecutorSpec } from '@plinth/protocol';
import type { OutboundHead } from '../../platform/outbound/outbound-client.js';
import { OutboundError } from '../../platform/outbound/outbound-failure.js';
import type { BodyPlan } from '../../platform/outbound/read-body.js';
import { MAX_REFUSAL_BYTES } from '../read-refusal.js';

const TEXT_BYTES = 262_144;
const FILE_BYTES = 26_214_400;

export type ContentForm = 'json' | 'text' | 'file';

export const isSuccess = (status: number) => status >= 200 && status < 300;

const isJson = (type: string) => type === 'application/json' || type.endsWith('+json');
const isText = (type: string) =>
  type.startsWith('text/') ||
  /^application\/(xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson|.*\+xml)$/.test(type);
/** What JSON is often sent as by services that do not say what they send. */
const mayBeJson = (type: string) => isJson(type) || type === '' || type === 'text/plain';

/** What a good answer is, by what the tool wants and by what the service says that it sends. */
export function formOf(
  wanted: HttpExecutorSpec['response']['as'],
  { contentType }: OutboundHead,
): ContentForm {
  if (wanted !== 'auto') return wanted;
  if (isJson(contentType)) return 'json';
  return isText(contentType) || contentType === '' ? 'text' : 'file';
}

/**
 * How much of an answer is read.
 *
 * @throws OutboundError `unsupported_content` for a good answer of another type than the tool wants
 */
export function planOf({ as, maxBytes }: HttpExecutorSpec['response'], head: OutboundHead): BodyPlan {
  if (!isSuccess(head.status)) return { maxBytes: MAX_REFUSAL_BYTES, longer: 'cut' };
  const { contentType: type } = head;
  const fits =
    as === 'json' ? mayBeJson(type) : as === 'text' ? isText(type) || isJson(type) || type === '' : true;
  if (!fits && head.status !== 204)
    throw new OutboundError(
      'unsupported_content',
      `sent ${type.slice(0, 100)} where ${as === 'json' ? 'JSON' : 'text'} was expected`,
    );
  const usual = formOf(as, head) === 'file' ? FILE_BYTES : TEXT_BYTES;
  return { maxBytes: maxBytes ?? usual, longer: 'refuse' };
}
