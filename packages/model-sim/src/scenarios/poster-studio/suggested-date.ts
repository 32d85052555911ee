import type { Language } from '../../conversation/language.js';

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = '\\d{1,2}(?:st|nd|rd|th)?(?:\\s?[-–]\\s?\\d{1,2}(?:st|nd|rd|th)?)?';
const DATES = [
  /\b\d{4}-\d{2}-\d{2}\b/,
  new RegExp(`\\b(?:${MONTH}\\.?\\s+${DAY}|${DAY}\\s+(?:of\\s+)?${MONTH})(?:,?\\s+\\d{4})?\\b`, 'i'),
  /\b(?:this|next)\s+(?:weekend|week|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b/i,
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i,
  /(?:\d{4}年)?\d{1,2}月(?:\d{1,2}[日号]?(?:\s?[-–—至到]\s?(?:\d{1,2}月)?\d{1,2}[日号]?)?)?/,
  /(?:本|这|下)?(?:周|星期)[一二三四五六日天末]/,
];

/** The simulator may not read a clock, so what it proposes without being told is a fixed day of the season. */
const SEASONS: { season: RegExp; en: string; zh: string }[] = [
  { season: /\bspring|\beaster|春/i, en: '20–22 March', zh: '3月20日–22日' },
  { season: /\bsummer|夏/i, en: '17–19 July', zh: '7月17日–19日' },
  { season: /\bautumn|\bfall\b|\bharvest|秋/i, en: '9–11 October', zh: '10月9日–11日' },
  { season: /\bwinter|\bchristmas|冬|圣诞|新年/i, en: '4–6 December', zh: '12月4日–6日' },
];
const ANY_TIME = { en: 'Saturday, 10:00–18:00', zh: '周六 10:00–18:00' };

/** The date that a text names; undefined when it names none. */
export function dateIn(text: string): string | undefined {
  for (const pattern of DATES) {
    const found = pattern.exec(text)?.[0];
    if (found) return found;
  }
  return undefined;
}

/** A date for the form: the named one, else one that fits the season. */
export function suggestedDate(text: string, language: Language): string {
  const season = SEASONS.find((entry) => entry.season.test(text)) ?? ANY_TIME;
  return dateIn(text) ?? season[language];
}
