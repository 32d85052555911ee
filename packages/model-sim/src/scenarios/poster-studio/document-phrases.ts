import type { Language } from '../../conversation/language.js';

/** A part of the brief: its heading, the words by which a person names it, and what stands under it at first. */
export type BriefSection = { heading: string; named: RegExp; body: string };

/** What the studio writes and says about a brief, in one language. */
export type DocumentPhrases = {
  title(headline: string): string;
  sections: readonly BriefSection[];
  write(topic: string): string;
  written: string;
  change(heading: string): string;
  changedMeanwhile: string;
  merged: string;
  changed: string;
  trouble: string;
};

const en: DocumentPhrases = {
  title: (headline) => `${headline.replace(/[^\p{L}\p{N} ]/gu, '')} brief.md`,
  sections: [
    {
      heading: 'Goal',
      named: /\bgoal\b/i,
      body: 'Bring regular guests back after the summer, and let new ones taste before they buy. Two hundred visitors in three days would be a success.',
    },
    {
      heading: 'Who it is for',
      named: /\b(?:who it is for|audience)\b/i,
      body: 'People who live or work within a short walk, and the readers of our newsletter. Most of them come **after work**, many with somebody they want to treat.',
    },
    {
      heading: 'Message',
      named: /\bmessage\b/i,
      body: '> Good things take their time. Come in, sit down, stay a while.',
    },
    {
      heading: 'Budget',
      named: /\bbudget\b/i,
      body: '| What | How much | Cost |\n| --- | ---: | ---: |\n| Posters, A3 | 120 | 105 EUR |\n| Tasting | 3 days | 180 EUR |\n| Newsletter | 1 | 0 EUR |',
    },
    {
      heading: 'Next steps',
      named: /\bsteps?\b/i,
      body: '- Choose the style of the poster\n- Order the print two weeks before\n- Write to the readers of the newsletter',
    },
  ],
  write: (topic) => `A brief for **${topic}**. I am writing a first version.`,
  written:
    'The brief is open in the workspace beside this chat. We both can change it: edit it there, or tell me what should be different, for example "make the goal shorter".',
  change: (heading) => `I am changing **${heading}**.`,
  changedMeanwhile: 'You have changed the brief meanwhile. I read your version first.',
  merged: 'Now the same change in your version.',
  changed: 'Done. Everything else stands as it was; the versions are in the bar above the brief.',
  trouble:
    'I could not find that place in the brief, so I changed nothing. Which part do you mean: the goal, the audience, the message, the budget or the steps?',
};

const zh: DocumentPhrases = {
  title: (headline) => `${headline}简报.md`,
  sections: [
    {
      heading: '目标',
      named: /目标/,
      body: '让老顾客在夏天之后回来，也让新顾客先尝后买。三天里来两百位客人就算成功。',
    },
    {
      heading: '受众',
      named: /受众|给谁看/,
      body: '住在附近或在附近上班的人，以及订阅我们通讯的读者。多数人**下班以后**来，常常带着想招待的人。',
    },
    { heading: '主旨', named: /主旨|口号/, body: '> 好东西需要时间。进来坐坐，慢慢品。' },
    {
      heading: '预算',
      named: /预算/,
      body: '| 项目 | 数量 | 费用 |\n| --- | ---: | ---: |\n| A3 海报 | 120 | 105 欧元 |\n| 品鉴 | 3 天 | 180 欧元 |\n| 通讯 | 1 | 0 欧元 |',
    },
    {
      heading: '下一步',
      named: /下一步|步骤/,
      body: '- 选定海报的风格\n- 提前两周送印\n- 给通讯的读者写信',
    },
  ],
  write: (topic) => `为**${topic}**写一份简报。我先写第一版。`,
  written:
    '简报已经在聊天旁边的工作区打开。我们都可以修改：你可以直接编辑，也可以告诉我哪里要改，例如“把目标写短一点”。',
  change: (heading) => `我来修改**${heading}**。`,
  changedMeanwhile: '你刚才改过这份简报，我先读一下你的版本。',
  merged: '现在在你的版本上做同样的修改。',
  changed: '改好了，其他内容保持不变。各个版本可以在简报上方的工具栏查看。',
  trouble: '我在简报里没有找到这一处，所以没有改动。你指的是目标、受众、主旨、预算还是下一步？',
};

export function documentPhrasesIn(language: Language): DocumentPhrases {
  return language === 'zh' ? zh : en;
}

/** The first version of a brief. */
export function briefText(headline: string, { sections }: DocumentPhrases): string {
  return `# ${headline}\n\n${sections.map(({ heading, body }) => `## ${heading}\n\n${body}\n`).join('\n')}`;
}
