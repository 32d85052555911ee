import type { Scenario } from './scenario.js';

/** The fallback: says what it is and repeats the user's words. Takes every request. */
export const echo: Scenario = {
  name: 'echo',
  matches: () => true,
  reply: ({ language, lastUserText }) => ({
    text:
      language === 'zh'
        ? `我是 Plinth 模型模拟器，没有真正的语言模型在回答。你刚才说：“${lastUserText}”`
        : `I am the Plinth model simulator; no real language model is answering. You said: "${lastUserText}"`,
  }),
};
