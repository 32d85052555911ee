import { isJsonObject, type JsonObject } from '../../api/chat-request.js';
import { type CallRecord, parseJson } from '../../conversation/conversation.js';

/** The object that a call returned, without the wrapper of the platform; empty when it returned none. */
export function resultOf(call: CallRecord | undefined): JsonObject {
  const parsed = parseJson(call?.result ?? '');
  if (!isJsonObject(parsed)) return {};
  return isJsonObject(parsed.result) ? parsed.result : parsed;
}
