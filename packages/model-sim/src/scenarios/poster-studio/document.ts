/*
 * The third example: a brief that the model and the person write together. The model knows only what it wrote, edited and
 * read. When the person has saved another version, the tool tells it so: it reads that version and makes its change there.
 */
import type { Conversation } from '../../conversation/conversation.js';
import type { Reply } from '../../replies/reply.js';
import { documentEdit, namedSection } from './document-edit.js';
import { briefText, documentPhrasesIn } from './document-phrases.js';
import { type KnownDocument, knownDocumentIn } from './known-document.js';
import { phrasesIn } from './phrases.js';
import { posterBriefOf } from './poster-brief.js';
import { outcomeOf } from './tool-outcome.js';
import { headlineOf } from './topic.js';

const TOOLS = ['write_document', 'edit_document', 'get_artifact'];
const WISH = /\b(?:write|draft)\b.{0,40}\b(?:brief|document)\b|写.{0,20}(?:简报|文档)/i;
/** Somebody who saves faster than the model edits: after this many tries it gives up. */
const MOST_TRIES = 3;

/** The steps of a brief; undefined when something else is wanted, or a tool is missing. */
export function documentReply(conversation: Conversation): Reply | undefined {
  if (!TOOLS.every((name) => conversation.tool(name))) return undefined;
  if (WISH.test(conversation.lastUserText)) return write(conversation);
  const known = knownDocumentIn(conversation.calls);
  return known === undefined ? undefined : change(conversation, known);
}

function write(conversation: Conversation): Reply {
  const words = documentPhrasesIn(conversation.language);
  const done = conversation.lastCallOf('write_document');
  if (done) return { text: outcomeOf(done.result) === 'ok' ? words.written : words.trouble };
  const { topic } = posterBriefOf(conversation);
  const headline = headlineOf(topic);
  return calling(conversation, words.write(topic), 'write_document', {
    title: words.title(headline),
    content: briefText(headline, words),
  });
}

function change(conversation: Conversation, known: KnownDocument): Reply | undefined {
  const { language, lastUserText, callsSinceLastUser: calls } = conversation;
  const words = documentPhrasesIn(language);
  const section = namedSection(lastUserText, words.sections);
  if (section === undefined) return undefined;
  const last = calls.at(-1);
  if (last?.name === 'edit_document') {
    if (outcomeOf(last.result) === 'ok') return { text: words.changed };
    const tries = calls.filter(({ name }) => name === 'edit_document').length;
    if (!last.result.includes('document_changed') || tries >= MOST_TRIES) return { text: words.trouble };
    return calling(conversation, words.changedMeanwhile, 'get_artifact', { id: known.id });
  }
  if (last !== undefined && outcomeOf(last.result) !== 'ok') return { text: words.trouble };
  const edit = documentEdit(known.text, section, lastUserText);
  if (edit === undefined) return { text: words.trouble };
  const text = last === undefined ? words.change(section.heading) : words.merged;
  const { id, version } = known;
  return calling(conversation, text, 'edit_document', { id, baseVersion: version, edits: [edit] });
}

function calling(
  conversation: Conversation,
  text: string,
  name: string,
  args: Record<string, unknown>,
): Reply {
  if (!conversation.mayCall(name)) return { text: phrasesIn(conversation.language).notAllowed };
  return { text, toolCalls: [{ name, arguments: args }] };
}
