import type { Language } from '../../conversation/language.js';
import type { SmallTalk } from './small-talk.js';
import type { ToolOutcome } from './tool-outcome.js';

export type PosterFacts = { headline: string; style: string; date: string; size: string; edited: boolean };
type Trouble = Exclude<ToolOutcome, 'ok'>;

/** Everything that the poster studio says, in one language. */
export type Phrases = {
  smallTalk: Record<SmallTalk, string>;
  chooseStyle(topic: string): string;
  askDetails(style: string): string;
  generate(headline: string): string;
  done(facts: PosterFacts): string;
  /** A component was not answered as hoped: the conversation stops here, in words. */
  componentTrouble: Record<Trouble, string>;
  jobTrouble(trouble: Trouble, headline: string): string;
  notAllowed: string;
  jingle: string;
  jingleDone: string;
  jingleTrouble: string;
};

const en: Phrases = {
  smallTalk: {
    greeting:
      'Hello! I am the poster studio. Tell me what you want to announce, for example "a poster for our autumn tea sale", and we will make it together.',
    thanks: 'You are welcome! Whenever you need another poster, or another version of this one, just say so.',
  },
  chooseStyle: (topic) => `A poster for **${topic}**, with pleasure. Which of these four styles fits best?`,
  askDetails: (style) =>
    `**${style}** it is. I have filled in a first suggestion; please change whatever you like.`,
  generate: (headline) =>
    `Thank you, that is all I need. I will now draw **${headline}**; the job takes a few seconds once you confirm it.`,
  done: ({ headline, style, date, size, edited }) =>
    [
      `Your poster **${headline}** is ready, and it is open in the workspace beside this chat.${edited ? ' I used the values exactly as you edited them before confirming.' : ''}`,
      `Here is what I drew:\n\n- **Style:** ${style}\n- **Date:** ${date}\n- **Size:** ${size}`,
      'If something should be different, just tell me. For example, say "make it bolder" or "use the retro style", and we start a new version from there.',
    ].join('\n\n'),
  componentTrouble: {
    declined:
      'No problem, we stop here. Nothing was drawn. Tell me what you would rather have, and I will start again.',
    superseded: 'That question was overtaken by your newer message, so I have left it aside.',
    cancelled:
      'This was cancelled before it was answered, so nothing was drawn. Send me a message when you want to go on.',
    expired:
      'I waited for your answer, but the time ran out. Nothing is lost: write to me again and I will ask once more.',
    failed:
      'I could not show you that step, so I have stopped here instead of guessing. Shall we try once more?',
  },
  jobTrouble: (trouble, headline) =>
    ({
      declined: `All right, **${headline}** was not drawn and nothing was spent. We can change the **style**, the **headline**, the **date**, the **size** or the **colours**; just tell me which.`,
      superseded: `The drawing of **${headline}** was overtaken by your newer message, so I did not finish it.`,
      cancelled: `The drawing of **${headline}** was cancelled, so there is no picture. Say "try again" and I will start a new one.`,
      expired: `The drawing service did not answer in time, so **${headline}** is not finished. This is usually temporary. Would you like me to try again?`,
      failed: `I am sorry, the drawing service reported an error, and **${headline}** could not be finished. Your details are not lost. Would you like me to try again?`,
    })[trouble],
  notAllowed:
    'I may not start another step in this turn, so I stop here. Write to me again and we will go on.',
  jingle: 'With pleasure. I am composing a short jingle; it takes a few seconds.',
  jingleDone:
    'Your **jingle** is ready. You can play it in the workspace beside this chat, or download it. Say so if you want another one.',
  jingleTrouble: 'I am sorry, the jingle could not be composed this time. Would you like me to try again?',
};

const zh: Phrases = {
  smallTalk: {
    greeting:
      '你好！我是海报工作室。告诉我你想宣传什么，例如“为我们的秋季茶叶促销做一张海报”，我们一起完成它。',
    thanks: '不客气！需要新的海报，或者想换一个版本，随时告诉我。',
  },
  chooseStyle: (topic) => `好的，为**${topic}**做一张海报。下面四种风格，你最喜欢哪一种？`,
  askDetails: (style) => `就用**${style}**风格。我先填好了一份建议，你可以随意修改。`,
  generate: (headline) => `谢谢，信息齐了。确认之后我就开始绘制**${headline}**，大约需要几秒钟。`,
  done: ({ headline, style, date, size, edited }) =>
    [
      `海报**${headline}**已经完成，并在聊天旁边的工作区打开了。${edited ? '我完全按照你确认前修改的内容绘制。' : ''}`,
      `这一版的内容：\n\n- **风格：**${style}\n- **日期：**${date}\n- **尺寸：**${size}`,
      '如果哪里想调整，直接告诉我就好。比如说“再醒目一点”或“换成复古风”，我们就从这里做一个新版本。',
    ].join('\n\n'),
  componentTrouble: {
    declined: '没问题，我们先停在这里，什么都没有生成。告诉我你更想要什么，我会重新开始。',
    superseded: '这个问题已被你更新的消息取代，我就先放下了。',
    cancelled: '这一步在回答之前被取消了，所以没有生成任何内容。想继续时再发消息给我。',
    expired: '我等了你的回答，但时间到了。内容没有丢失：再给我发一条消息，我会重新询问。',
    failed: '这一步没能显示出来，我先停下来，不去猜测。要再试一次吗？',
  },
  jobTrouble: (trouble, headline) =>
    ({
      declined: `好的，**${headline}**没有生成，也没有产生费用。你可以修改**风格**、**标题**、**日期**、**尺寸**或**颜色**，告诉我想改哪一项就行。`,
      superseded: `**${headline}**的绘制已被你更新的消息取代，所以没有完成。`,
      cancelled: `**${headline}**的绘制被取消了，没有图片。说“再试一次”，我就重新开始。`,
      expired: `绘图服务没有及时回应，**${headline}**还没有完成。这通常是暂时的，要我再试一次吗？`,
      failed: `抱歉，绘图服务报告了错误，**${headline}**没能完成。你填写的内容都还在，要我再试一次吗？`,
    })[trouble],
  notAllowed: '这一轮我不能再开始新的步骤，先停在这里。再给我发一条消息，我们就继续。',
  jingle: '好的，我来作一段短曲，需要几秒钟。',
  jingleDone: '**短曲**已经完成。你可以在聊天旁边的工作区播放，也可以下载。想换一段就告诉我。',
  jingleTrouble: '抱歉，这次没能作出短曲。要我再试一次吗？',
};

export function phrasesIn(language: Language): Phrases {
  return language === 'zh' ? zh : en;
}
