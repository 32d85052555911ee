import type { Language } from '../../conversation/language.js';
import type { PosterFacts } from './phrases.js';

export type PrintFacts = { copies: number; total: number; currency: string; days: number };

/** What the studio says in a campaign beside the steps of its poster, in one language. */
export type CampaignPhrases = {
  begin(topic: string): string;
  price: string;
  jingle: string;
  done(poster: PosterFacts, print: PrintFacts | undefined, hasJingle: boolean): string;
};

const en: CampaignPhrases = {
  begin: (topic) =>
    `A campaign for **${topic}**: a poster, its price, and a jingle. First I look up what we know already.`,
  price: 'Let me see what printing it costs.',
  jingle: 'The poster is there. Now a jingle that goes with it.',
  done: ({ headline, style, date, size }, print, hasJingle) =>
    [
      `Your campaign **${headline}** is ready; you see and hear it in the workspace beside this chat.`,
      [
        `- **Poster:** ${style}, ${date}, ${size}`,
        print
          ? `- **Printing:** ${print.copies} copies for ${print.total.toFixed(2)} ${print.currency}, in ${print.days} working days`
          : '- **Printing:** the print shop gave no price this time',
        hasJingle ? '- **Jingle:** in the sound of the house' : '- **Jingle:** it could not be composed',
      ].join('\n'),
    ].join('\n\n'),
};

const zh: CampaignPhrases = {
  begin: (topic) => `为**${topic}**策划一次推广：一张海报、印刷报价和一段短曲。我先查一下已有的资料。`,
  price: '我来问一下印刷要多少钱。',
  jingle: '海报好了。再配一段短曲。',
  done: ({ headline, style, date, size }, print, hasJingle) =>
    [
      `推广**${headline}**已经备齐，可以在聊天旁边的工作区查看和播放。`,
      [
        `- **海报：**${style}，${date}，${size}`,
        print
          ? `- **印刷：**${print.copies} 份，共 ${print.total.toFixed(2)} ${print.currency}，${print.days} 个工作日`
          : '- **印刷：**这次没有拿到报价',
        hasJingle ? '- **短曲：**符合品牌的声音' : '- **短曲：**没能完成',
      ].join('\n'),
    ].join('\n\n'),
};

export function campaignPhrasesIn(language: Language): CampaignPhrases {
  return language === 'zh' ? zh : en;
}
