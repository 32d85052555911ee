import { isJsonObject } from '../../api/chat-request.js';
import { type CallRecord, type Conversation, parseJson } from '../../conversation/conversation.js';
import { chosenStyleIn, formValuesIn } from './component-values.js';
import type { PosterFacts } from './phrases.js';
import { posterBriefOf } from './poster-brief.js';
import { styleTitle } from './styles.js';

/** What was drawn. A result that carries `arguments` was drawn with other values than the model asked for. */
export function drawnPoster(conversation: Conversation, poster: CallRecord): PosterFacts {
  const result = parseJson(poster.result);
  const drawn = { ...formValuesIn(poster.arguments), ...definedOnly(formValuesIn(result)) };
  const drawnStyle = result === undefined ? undefined : chosenStyleIn(poster.result);
  const style = drawnStyle ?? chosenStyleIn(JSON.stringify(poster.arguments)) ?? 'minimal';
  return {
    headline: drawn.headline ?? posterBriefOf(conversation).headline,
    style: styleTitle(style, conversation.language),
    date: drawn.date ?? '',
    size: drawn.size ?? 'A3',
    edited: isJsonObject(result) && isJsonObject(result.arguments),
  };
}

function definedOnly<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
