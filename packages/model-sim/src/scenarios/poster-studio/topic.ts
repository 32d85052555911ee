import { languageOf } from '../../conversation/language.js';

const MAX_ENGLISH_WORDS = 7;
const MAX_ENGLISH_CHARACTERS = 60;
const MAX_CHINESE_CHARACTERS = 16;

const ARTICLES = /^(?:an?|the|our|my|your|this|some|new)\s+/i;
const ENGLISH_FOR =
  /\b(?:posters?|flyers?|banners?|placards?|campaigns?|briefs?|documents?)\s+(?:for|about|on|of|to\s+(?:promote|announce|advertise)|announcing|promoting)\s+(.+)/i;
const ENGLISH_NOUN = /\b(?:an?|the|our|my)\s+(.+?)\s+(?:poster|flyer|banner)\b/i;
const ENGLISH_END = /[.!?,;:\n]|\s(?:on|at|from|with|by|in|please|next|this)\s|\splease$/i;
const EMPTY_ADJECTIVES =
  /^(?:nice|new|simple|good|great|beautiful|cool|bold|retro|minimal|botanical|quick|small|big|a\s+)+$/i;

const CHINESE_FOR =
  /(?:为|给|替|帮)(?:我们的|我们|咱们的|我的|我|你)?([^，。,]+?)(?:做|设计|制作|策划|写|画|生成|创作|出|来)/;
const CHINESE_NOUN = /(?:一|这|个)?[张幅份款个](?:关于)?([^，。,]+?)的?(?:宣传|活动|主题)?海报/;
const CHINESE_BARE =
  /^(?:请|帮我|我想|我要|想要|需要|做|设计|制作|生成)*([^，。,]+?)的?(?:宣传|活动|主题)?海报/;

/** What the poster is for, as short as the text allows; undefined when the text does not say. */
export function topicIn(text: string): string | undefined {
  return languageOf(text) === 'zh' ? chineseTopic(text) : englishTopic(text);
}

/** A headline made of a topic: English in title case, Chinese as it is. */
export function headlineOf(topic: string): string {
  if (languageOf(topic) === 'zh') return topic;
  return topic
    .split(/\s+/)
    .map((word, index) =>
      index > 0 && /^(?:a|an|and|at|for|in|of|on|or|the|to|with)$/.test(word) ? word : capitalised(word),
    )
    .join(' ');
}

/** The first words of a text that says no topic: something to talk about is better than nothing. */
export function fallbackTopic(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (languageOf(plain) === 'zh') return shortChinese(plain.split(/[，。！？,.!?]/)[0] ?? plain) || '新海报';
  const stripped = plain
    .replace(
      /^(?:please|can you|could you|i need|i want|i'd like|make|create|design|draw|announce|promote|our|an?|the|me|us|it|\s)+\b/i,
      '',
    )
    .replace(/\s*\b(?:posters?|flyers?|banners?)$/i, '');
  return shortEnglish(stripped) || 'something new';
}

function englishTopic(text: string): string | undefined {
  const behind = ENGLISH_FOR.exec(text)?.[1];
  const before = ENGLISH_NOUN.exec(text)?.[1];
  const topic = behind ?? (before && !EMPTY_ADJECTIVES.test(before) ? before : undefined);
  return topic ? shortEnglish(topic) || undefined : undefined;
}

function chineseTopic(text: string): string | undefined {
  for (const pattern of [CHINESE_FOR, CHINESE_NOUN, CHINESE_BARE]) {
    const topic = shortChinese(pattern.exec(text)?.[1] ?? '');
    if (topic.length > 1 && !/^(?:需要|想要|要|再|来|做)?[一这]?[张幅份款个]?$/.test(topic)) return topic;
  }
  return undefined;
}

function shortEnglish(text: string): string {
  const end = text.search(ENGLISH_END);
  const clause = (end > 0 ? text.slice(0, end) : text).trim().replace(ARTICLES, '');
  return clause.split(/\s+/).slice(0, MAX_ENGLISH_WORDS).join(' ').slice(0, MAX_ENGLISH_CHARACTERS).trim();
}

function shortChinese(text: string): string {
  const plain = text
    .replace(/[\s，。！？、：；“”"'《》]/g, '')
    .replace(/^(?:关于|我们的|我们要|我们)/, '')
    .replace(/的$/, '');
  return [...plain].slice(0, MAX_CHINESE_CHARACTERS).join('');
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
