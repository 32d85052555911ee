import { expect, test } from 'vitest';
import type { ChatMessage, ChatRequest } from '../../api/chat-request.js';
import { Conversation } from '../../conversation/conversation.js';
import { posterStudio } from './poster-studio.js';

const toolsOf = (...names: string[]): ChatRequest['tools'] =>
  names.map((name) => ({ type: 'function', function: { name } }));
const STEPS = ['choose_style', 'poster_details', 'generate_poster'];
const WITH_MUSIC = toolsOf(...STEPS, 'compose_jingle');

const user = (content: string): ChatMessage => ({ role: 'user', content });
const composed = (result: unknown): ChatMessage[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'compose_jingle', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: JSON.stringify(result) },
];
const reply = (messages: ChatMessage[], more: Partial<ChatRequest> = {}) =>
  posterStudio.reply(new Conversation({ model: 'm', messages, tools: WITH_MUSIC, ...more }));
const ASK = user('A jingle for our autumn tea sale, please');

test.each(['A jingle for our autumn tea sale, please', '为我们的秋季茶叶促销来一段配乐'])(
  '"%s" is composed, not drawn',
  (text) => {
    expect(reply([user(text)]).toolCalls).toMatchObject([
      { name: 'compose_jingle', arguments: { mood: expect.stringMatching(/tea|茶/), seconds: 6 } },
    ]);
  },
);

test('a poster about music is a poster', () => {
  expect(reply([user('A poster for our melody contest')]).toolCalls?.[0]?.name).toBe('choose_style');
});

test('it closes with how the composing went', () => {
  expect(reply([ASK, ...composed({ result: { files: ['audio: Jingle'] } })]).text).toContain('is ready');
  const failed = { error: { code: 'unavailable', message: 'No host.' } };
  expect(reply([ASK, ...composed(failed)]).text).toContain('could not be composed');
});

test('where no tool may be called it says so, and where there is no such tool it goes on with posters', () => {
  expect(reply([ASK], { tool_choice: 'none' }).toolCalls).toBeUndefined();
  expect(reply([ASK], { tools: toolsOf(...STEPS) }).toolCalls?.[0]?.name).toBe('choose_style');
});
