/*
 * Plays the model of the sample product: style, details, confirmation, drawing, closing answer. Which step is due
 * is read from the results since the last user message, so the simulator can be restarted between any two of them.
 */
import type { JsonObject } from '../../api/chat-request.js';
import { type CallRecord, type Conversation, parseJson } from '../../conversation/conversation.js';
import type { Reply } from '../../replies/reply.js';
import type { Scenario } from '../scenario.js';
import { campaignReply } from './campaign.js';
import { campaignDayOf } from './campaign-day.js';
import { chosenStyleIn, formValuesIn } from './component-values.js';
import { documentReply } from './document.js';
import { drawnPoster } from './drawn-poster.js';
import { jingleReply } from './jingle.js';
import { phrasesIn } from './phrases.js';
import { posterBriefOf } from './poster-brief.js';
import { smallTalkIn } from './small-talk.js';
import { type StyleId, styleOffers, stylePalette, styleTagline, styleTitle } from './styles.js';
import { outcomeOf } from './tool-outcome.js';

const TOOLS = ['choose_style', 'poster_details', 'generate_poster'];

/** The built-in scenario of the playground; takes every request that offers its three tools. */
export const posterStudio: Scenario = {
  name: 'poster-studio',
  matches: ({ tools = [] }) => TOOLS.every((name) => tools.some((tool) => tool.function.name === name)),
  reply(conversation) {
    const other = documentReply(conversation) ?? campaignReply(conversation) ?? jingleReply(conversation);
    if (other) return other;
    const poster = conversation.lastCallOf('generate_poster');
    if (poster) return closeWith(conversation, poster);
    const style = conversation.lastCallOf('choose_style');
    const details = conversation.lastCallOf('poster_details');
    if (style && details) return generate(conversation, style, details);
    if (style) return askDetails(conversation, style);
    return askStyle(conversation);
  },
};

function askStyle(conversation: Conversation): Reply {
  const { language, lastUserText } = conversation;
  const phrases = phrasesIn(language);
  const smallTalk = smallTalkIn(lastUserText);
  if (smallTalk) return { text: phrases.smallTalk[smallTalk] };
  const { topic, wishedStyle } = posterBriefOf(conversation);
  return callTool(conversation, phrases.chooseStyle(topic), 'choose_style', {
    topic,
    styles: styleOffers(language, wishedStyle),
  });
}

function askDetails(conversation: Conversation, styleCall: CallRecord): Reply {
  const phrases = phrasesIn(conversation.language);
  const outcome = outcomeOf(styleCall.result);
  if (outcome !== 'ok') return { text: phrases.componentTrouble[outcome] };
  const { headline, date } = posterBriefOf(conversation);
  const style = styleOf(conversation, styleCall);
  const { language } = conversation;
  return callTool(conversation, phrases.askDetails(styleTitle(style, language)), 'poster_details', {
    style,
    suggestion: {
      headline,
      subtitle: styleTagline(style, language),
      date: campaignDayOf(conversation) ?? date,
      size: 'A3',
      colors: stylePalette(style),
    },
  });
}

function generate(conversation: Conversation, styleCall: CallRecord, details: CallRecord): Reply {
  const phrases = phrasesIn(conversation.language);
  const outcome = outcomeOf(details.result);
  if (outcome !== 'ok') return { text: phrases.componentTrouble[outcome] };
  const brief = posterBriefOf(conversation);
  const style = styleOf(conversation, styleCall);
  const palette = stylePalette(style);
  const form = formValuesIn(parseJson(details.result));
  const headline = form.headline ?? brief.headline;
  return callTool(conversation, phrases.generate(headline), 'generate_poster', {
    style,
    headline,
    subtitle: form.subtitle,
    date: form.date ?? brief.date,
    size: form.size ?? 'A3',
    background: form.background ?? palette.background,
    accent: form.accent ?? palette.accent,
  });
}

function closeWith(conversation: Conversation, poster: CallRecord): Reply {
  const phrases = phrasesIn(conversation.language);
  const outcome = outcomeOf(poster.result);
  if (outcome === 'ok') return { text: phrases.done(drawnPoster(conversation, poster)) };
  const { headline = posterBriefOf(conversation).headline } = formValuesIn(poster.arguments);
  return { text: phrases.jobTrouble(outcome, headline) };
}

function styleOf(conversation: Conversation, call: CallRecord): StyleId {
  return chosenStyleIn(call.result) ?? posterBriefOf(conversation).wishedStyle ?? 'minimal';
}

function callTool(conversation: Conversation, text: string, name: string, args: JsonObject): Reply {
  if (!conversation.mayCall(name)) return { text: phrasesIn(conversation.language).notAllowed };
  return { text, toolCalls: [{ name, arguments: args }] };
}
