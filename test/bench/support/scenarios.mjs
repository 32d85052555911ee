/** A model that asks as often as the person's message says (`ask 3 times`), then closes. It keeps no state. */
export const askingScenario = {
  name: 'asking',
  matches: () => true,
  reply(conversation) {
    const times = Number(/ask (\d+) times/.exec(conversation.lastUserText)?.[1] ?? 0);
    const asked = conversation.turnsSinceLastUser;
    return asked < times
      ? { text: 'One question.', toolCalls: [{ name: 'ask', arguments: { question: `question ${asked}` } }] }
      : { text: 'Thank you, that is all.' };
  },
};

/** A model that says one sentence, whatever it is asked. */
const plainScenario = { name: 'plain', matches: () => true, reply: () => ({ text: 'All is well.' }) };

export const scenarios = { asking: askingScenario, plain: plainScenario };
