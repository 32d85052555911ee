import type { Message } from '@ag-ui/core';
import { expect, it } from 'vitest';
import { readTail } from './agui-input.js';

const user = (id: string, content = id): Message => ({ id, role: 'user', content });
const assistant = (id: string): Message => ({ id, role: 'assistant', content: id });
const result = (id: string): Message => ({ id, role: 'tool', toolCallId: id, content: 'done' });
const tail = (messages: Message[], ...taken: string[]) => {
  const { news, results } = readTail({ messages }, (id) => taken.includes(id));
  return { news: news.map(({ message }) => message.id), results: results.map(({ id }) => id) };
};

it('new are the user messages behind the last answer', () => {
  expect(tail([user('a'), assistant('b'), user('c'), user('d')])).toEqual({ news: ['c', 'd'], results: [] });
});

it('a message that a run has taken ends what is new, also when that run said nothing', () => {
  expect(tail([user('a'), user('b')], 'a')).toEqual({ news: ['b'], results: [] });
  expect(tail([user('a')], 'a')).toEqual({ news: [], results: [] });
});

it('results of tools stand behind the message that called them', () => {
  expect(tail([user('a'), result('old'), assistant('b'), result('c'), result('d')])).toEqual({
    news: [],
    results: ['c', 'd'],
  });
});
