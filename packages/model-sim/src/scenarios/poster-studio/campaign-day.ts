import { isJsonObject } from '../../api/chat-request.js';
import type { Conversation } from '../../conversation/conversation.js';
import { resultOf } from './tool-result.js';

const WEEKS_AHEAD = 3;
const DAY_MS = 86_400_000;
const SATURDAY = 6;

/** The Saturday after three weeks from the day that `current_time` told; undefined when it told none. */
export function campaignDayOf(conversation: Conversation): string | undefined {
  const { local, utc } = resultOf(conversation.lastCallOf('current_time'));
  const today = isJsonObject(local) ? local.date : utc;
  const from = typeof today === 'string' ? Date.parse(today.slice(0, 10)) : Number.NaN;
  if (Number.isNaN(from)) return undefined;
  const earliest = new Date(from + WEEKS_AHEAD * 7 * DAY_MS);
  const day = new Date(earliest.getTime() + ((SATURDAY - earliest.getUTCDay() + 7) % 7) * DAY_MS);
  const locale = conversation.language === 'zh' ? 'zh-CN' : 'en-GB';
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(day);
}
