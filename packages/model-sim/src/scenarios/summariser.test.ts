import { expect, test } from 'vitest';
import { Conversation } from '../conversation/conversation.js';
import { SUMMARY_OPENING, summariser } from './summariser.js';

const messages = [
  { role: 'system' as const, content: 'Summarise the conversation.' },
  { role: 'user' as const, content: 'word'.repeat(10) },
];

test('a request that is told to summarise gets a summary that names what it is of', () => {
  const request = { model: 'm', messages };
  expect(summariser.matches(request)).toBe(true);
  expect(summariser.reply(new Conversation(request)).text).toBe(`${SUMMARY_OPENING}: 2 messages, 17 tokens.`);
});

test('an agent that has tools, or a person who asks for a summary, is no summariser', () => {
  const tools = [{ type: 'function' as const, function: { name: 'a' } }];
  expect(summariser.matches({ model: 'm', messages, tools })).toBe(false);
  expect(summariser.matches({ model: 'm', messages: [{ role: 'user', content: 'Summarise it' }] })).toBe(
    false,
  );
});
