import { isJsonObject, type JsonObject } from '../../api/chat-request.js';
import { parseJson } from '../../conversation/conversation.js';

export type ToolOutcome = 'ok' | 'declined' | 'superseded' | 'cancelled' | 'expired' | 'failed';

const SIGNS: [Exclude<ToolOutcome, 'ok'>, RegExp][] = [
  ['declined', /declin|reject|refus|not[ _-]?approved|denied|拒绝/i],
  ['superseded', /supersed/i],
  ['cancelled', /cancel|abort|取消/i],
  ['expired', /expire|time(?:d)?[ _-]?out|过期|超时/i],
  ['failed', /fail|error|unavailable|unknown|invalid|not[ _-]?permitted|失败/i],
];
const STATUS_KEYS = ['status', 'outcome', 'state', 'kind', 'code', 'type'];
/** A plain-text result says in its first words how it went; further on it may quote anything. */
const HEAD_CHARACTERS = 120;

/** How a tool call went, judged from its result text alone, whatever shape the platform gave it. */
export function outcomeOf(result: string): ToolOutcome {
  const parsed = parseJson(result);
  if (isJsonObject(parsed)) return outcomeOfObject(parsed);
  const head = typeof parsed === 'string' ? parsed : result;
  return signIn(head.slice(0, HEAD_CHARACTERS)) ?? 'ok';
}

function outcomeOfObject(result: JsonObject): ToolOutcome {
  if (result.declined === true) return 'declined';
  const said = signIn(statusesOf(result));
  if (said) return said;
  if (!result.error) return 'ok';
  const text = isJsonObject(result.error)
    ? `${statusesOf(result.error)} ${String(result.error.message ?? '')}`
    : String(result.error);
  return signIn(text) ?? 'failed';
}

function statusesOf(holder: JsonObject): string {
  return STATUS_KEYS.map((key) => holder[key])
    .filter((value) => typeof value === 'string')
    .join(' ');
}

function signIn(text: string): ToolOutcome | undefined {
  return SIGNS.find(([, sign]) => sign.test(text))?.[0];
}
