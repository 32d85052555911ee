import type { Conversation } from '../../conversation/conversation.js';
import { formValuesIn } from './component-values.js';
import { type StyleId, wishedStyle } from './styles.js';
import { dateIn, suggestedDate } from './suggested-date.js';
import { fallbackTopic, headlineOf, topicIn } from './topic.js';

/** What the user's last message asks for. */
export type PosterBrief = { topic: string; headline: string; date: string; wishedStyle: StyleId | undefined };

/**
 * Reads the brief from the last user message. One that only asks for a change ("make it bolder") names no
 * topic: then the poster of the earlier run is meant, as its call stands in the conversation.
 */
export function posterBriefOf(conversation: Conversation): PosterBrief {
  const { lastUserText: text, language } = conversation;
  const named = topicIn(text);
  const earlier =
    named === undefined ? formValuesIn(conversation.earlierCallOf('generate_poster')?.arguments) : {};
  const topic = named ?? earlier.headline ?? fallbackTopic(text);
  return {
    topic,
    headline: named === undefined && earlier.headline ? earlier.headline : headlineOf(topic),
    date: dateIn(text) ?? earlier.date ?? suggestedDate(text, language),
    wishedStyle: wishedStyle(text),
  };
}
