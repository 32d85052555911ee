/*
 * The second example: a campaign. Around the steps of a poster it looks things up, asks for a price, and lets a jingle be
 * composed. What a tool tells is used in later steps: the time zone of the page for the time, the time for the date, the
 * form's size and the copies of an earlier campaign for the price, the sound of the house for the jingle.
 */
import { isJsonObject } from '../../api/chat-request.js';
import type { CallRecord, Conversation } from '../../conversation/conversation.js';
import type { Reply, ReplyToolCall } from '../../replies/reply.js';
import { campaignPhrasesIn, type PrintFacts } from './campaign-phrases.js';
import { formValuesIn } from './component-values.js';
import { drawnPoster } from './drawn-poster.js';
import { phrasesIn } from './phrases.js';
import { posterBriefOf } from './poster-brief.js';
import { outcomeOf } from './tool-outcome.js';
import { resultOf } from './tool-result.js';

const WISH = /\b(?:plan|prepare|launch|start)\b.{0,40}\bcampaign\b|策划.{0,20}(?:推广|宣传|活动)/i;
const TOOLS = [
  'visitor_settings',
  'brand_guidelines',
  'past_campaigns',
  'current_time',
  'print_price',
  'compose_jingle',
];
const COPIES = 50;
const SECONDS = 6;

/** The campaign's own steps; undefined when a step of its poster is due, no campaign is wanted, or a tool is missing. */
export function campaignReply(conversation: Conversation): Reply | undefined {
  if (!WISH.test(conversation.lastUserText) || !TOOLS.every((name) => conversation.tool(name)))
    return undefined;
  const words = campaignPhrasesIn(conversation.language);
  const last = (name: string) => conversation.lastCallOf(name);
  const settings = last('visitor_settings');
  if (!settings) return begin(conversation);
  if (!last('current_time')) {
    const { timeZone } = resultOf(settings);
    return calling(conversation, undefined, {
      name: 'current_time',
      arguments: typeof timeZone === 'string' ? { timeZone } : {},
    });
  }
  const details = last('poster_details');
  if (isDone(details) && !last('print_price')) {
    const { size = 'A3' } = formValuesIn(resultOf(details));
    const copies = copiesOf(last('past_campaigns'));
    return calling(conversation, words.price, { name: 'print_price', arguments: { size, copies } });
  }
  const poster = last('generate_poster');
  if (!isDone(poster)) return undefined;
  const jingle = last('compose_jingle');
  if (!jingle) {
    const { sound } = resultOf(last('brand_guidelines'));
    const mood = `a short jingle${typeof sound === 'string' ? `: ${sound}` : ''}`;
    return calling(conversation, words.jingle, {
      name: 'compose_jingle',
      arguments: { mood, seconds: SECONDS },
    });
  }
  return {
    text: words.done(drawnPoster(conversation, poster), printFacts(last('print_price')), isDone(jingle)),
  };
}

function begin(conversation: Conversation): Reply {
  const { topic } = posterBriefOf(conversation);
  return calling(
    conversation,
    campaignPhrasesIn(conversation.language).begin(topic),
    { name: 'visitor_settings', arguments: {} },
    { name: 'brand_guidelines', arguments: {} },
    { name: 'past_campaigns', arguments: { topic } },
  );
}

function calling(conversation: Conversation, text: string | undefined, ...toolCalls: ReplyToolCall[]): Reply {
  if (!toolCalls.every(({ name }) => conversation.mayCall(name)))
    return { text: phrasesIn(conversation.language).notAllowed };
  return { ...(text === undefined ? {} : { text }), toolCalls };
}

const isDone = (call: CallRecord | undefined): call is CallRecord =>
  call !== undefined && outcomeOf(call.result) === 'ok';

function copiesOf(pastCampaigns: CallRecord | undefined): number {
  const { campaigns } = resultOf(pastCampaigns);
  const closest: unknown = Array.isArray(campaigns) ? campaigns[0] : undefined;
  return isJsonObject(closest) && typeof closest.copies === 'number' ? closest.copies : COPIES;
}

function printFacts(price: CallRecord | undefined): PrintFacts | undefined {
  const { copies, total, currency, workingDays } = resultOf(price);
  if (typeof copies !== 'number' || typeof total !== 'number' || typeof workingDays !== 'number')
    return undefined;
  return { copies, total, currency: String(currency), days: workingDays };
}
