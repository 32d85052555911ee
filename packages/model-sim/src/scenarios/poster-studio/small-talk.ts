export type SmallTalk = 'greeting' | 'thanks';

const FILLER = '(?:there|again|so much|very much|a lot|you|everyone|all)';
const END = '[\\s,.!?~，。！？～]*';
const GREETING = new RegExp(
  `^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|${FILLER})\\b${END})+$|^(?:(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|大家好|啊|呀)${END})+$`,
  'i',
);
const THANKS = new RegExp(
  `^(?:(?:thanks?|thank you|thx|cheers|great|perfect|nice|lovely|awesome|wonderful|ok(?:ay)?|bye|goodbye|looks|good|it|is|that's|i love it|${FILLER})\\b${END})+$` +
    `|^(?:(?:谢谢|多谢|感谢|太好了|太棒了|很好|不错|好的|好看|喜欢|再见|你|您|了|啊|很)${END})+$`,
  'i',
);

/** A message that only greets or thanks; undefined for one that wants something. */
export function smallTalkIn(text: string): SmallTalk | undefined {
  const plain = text.trim();
  if (GREETING.test(plain)) return 'greeting';
  return THANKS.test(plain) ? 'thanks' : undefined;
}
