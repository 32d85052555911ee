import { describe, expect, test } from 'vitest';
import type { ChatMessage, ChatRequest, JsonObject } from '../../api/chat-request.js';
import { Conversation } from '../../conversation/conversation.js';
import { posterStudio } from './poster-studio.js';

const POSTER = ['choose_style', 'poster_details', 'generate_poster'];
const OTHERS = [
  'visitor_settings',
  'brand_guidelines',
  'past_campaigns',
  'current_time',
  'print_price',
  'compose_jingle',
];
const offer = (names: string[]): ChatRequest['tools'] =>
  names.map((name) => ({ type: 'function', function: { name } }));
const FORM = {
  headline: 'Tea & Leaves',
  date: '19 December',
  size: 'A4',
  background: '#ffffff',
  accent: '#112233',
};

const user = (content: string): ChatMessage => ({ role: 'user', content });
const called = (name: string, result: unknown, args: JsonObject = {}): ChatMessage[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: name, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
  { role: 'tool', tool_call_id: name, content: JSON.stringify(result) },
];
const reply = (messages: ChatMessage[], tools = offer([...POSTER, ...OTHERS])) =>
  posterStudio.reply(new Conversation({ model: 'm', messages, tools }));
const callOf = (messages: ChatMessage[]) => reply(messages).toolCalls?.[0];

const ASK = user('Plan a campaign for our autumn tea sale');
const known = [
  ...called('visitor_settings', { result: { timeZone: 'Asia/Shanghai', language: 'en' } }),
  ...called('brand_guidelines', { result: { sound: 'plucked strings' } }),
  ...called('past_campaigns', { result: { campaigns: [{ title: 'First flush', copies: 120 }] } }),
];
const timed = [...known, ...called('current_time', { result: { utc: '2026-11-30T01:00:00.000Z' } })];
const filled = [
  ...timed,
  ...called('choose_style', { style: 'botanical' }),
  ...called('poster_details', FORM),
];
const price = { result: { currency: 'EUR', copies: 120, total: 57.6, workingDays: 3 } };
const drawn = [
  ...filled,
  ...called('print_price', price),
  ...called('generate_poster', { result: { summary: 'Drew it.' } }, { style: 'botanical', ...FORM }),
];

describe('a campaign', () => {
  test.each([
    ['Plan a campaign for our autumn tea sale', 'autumn tea sale'],
    ['为我们的秋季茶叶促销策划一次推广', '秋季茶叶促销'],
  ])('"%s" begins with three look-ups at once', (text, topic) => {
    expect(reply([user(text)]).toolCalls).toEqual([
      { name: 'visitor_settings', arguments: {} },
      { name: 'brand_guidelines', arguments: {} },
      { name: 'past_campaigns', arguments: { topic } },
    ]);
  });

  test('the time is asked for in the time zone of the page, or in none', () => {
    expect(callOf([ASK, ...known])).toEqual({
      name: 'current_time',
      arguments: { timeZone: 'Asia/Shanghai' },
    });
    const unknown = called('visitor_settings', { error: { code: 'no_client', message: 'No page.' } });
    expect(callOf([ASK, ...unknown])).toEqual({ name: 'current_time', arguments: {} });
  });

  test('the poster is for the Saturday after three weeks', () => {
    expect(callOf([ASK, ...timed])?.name).toBe('choose_style');
    const styled = [ASK, ...timed, ...called('choose_style', { style: 'botanical' })];
    expect(callOf(styled)?.arguments).toMatchObject({ suggestion: { date: '26 December' } });
  });

  test('the price is asked for the size of the form and as many copies as last time, then it is drawn', () => {
    expect(callOf([ASK, ...filled])).toEqual({
      name: 'print_price',
      arguments: { size: 'A4', copies: 120 },
    });
    expect(callOf([ASK, ...filled, ...called('print_price', price)])?.name).toBe('generate_poster');
  });

  test('the jingle has the sound of the house, and the end says what there is', () => {
    expect(callOf([ASK, ...drawn])).toEqual({
      name: 'compose_jingle',
      arguments: { mood: 'a short jingle: plucked strings', seconds: 6 },
    });
    const { text } = reply([ASK, ...drawn, ...called('compose_jingle', { result: {} })]);
    expect(text).toContain('**Tea & Leaves** is ready');
    expect(text).toContain('120 copies for 57.60 EUR');
  });

  test('what failed is said', () => {
    const failed = { error: { code: 'unavailable', message: 'Nobody there.' } };
    const without = [
      ...filled,
      ...called('print_price', failed),
      ...called('generate_poster', { result: {} }, { style: 'botanical', ...FORM }),
      ...called('compose_jingle', failed),
    ];
    const { text } = reply([ASK, ...without]);
    expect(text).toContain('gave no price');
    expect(text).toContain('could not be composed');
  });

  test('a form that is declined ends it, and without its tools it is a poster', () => {
    const declined = [...timed, ...called('choose_style', { declined: true })];
    expect(reply([ASK, ...declined]).toolCalls).toBeUndefined();
    expect(reply([ASK], offer(POSTER)).toolCalls?.[0]?.name).toBe('choose_style');
  });
});
