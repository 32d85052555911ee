import type { Conversation } from '../../conversation/conversation.js';
import type { Reply } from '../../replies/reply.js';
import { phrasesIn } from './phrases.js';
import { posterBriefOf } from './poster-brief.js';
import { outcomeOf } from './tool-outcome.js';

const TOOL = 'compose_jingle';
const WISH = /\b(?:jingle|melody|tune|soundtrack|(?:some|piece of) music)\b|配乐|旋律|短曲|曲子/i;
/** A poster may be about music. */
const POSTER = /\b(?:poster|flyer|banner)s?\b|海报/i;
const SECONDS = 6;

/** The side job of the studio, a piece of music; undefined when the person wants none, or the tool is not offered. */
export function jingleReply(conversation: Conversation): Reply | undefined {
  const { lastUserText } = conversation;
  if (!conversation.tool(TOOL) || !WISH.test(lastUserText) || POSTER.test(lastUserText)) return undefined;
  const phrases = phrasesIn(conversation.language);
  const made = conversation.lastCallOf(TOOL);
  if (made) return { text: outcomeOf(made.result) === 'ok' ? phrases.jingleDone : phrases.jingleTrouble };
  if (!conversation.mayCall(TOOL)) return { text: phrases.notAllowed };
  const { topic } = posterBriefOf(conversation);
  const mood = `a cheerful jingle for ${topic}, plucked strings, 120 bpm`;
  return { text: phrases.jingle, toolCalls: [{ name: TOOL, arguments: { mood, seconds: SECONDS } }] };
}
