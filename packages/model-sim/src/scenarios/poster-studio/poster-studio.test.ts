import { describe, expect, test } from 'vitest';
import type { ChatMessage, ChatRequest, JsonObject } from '../../api/chat-request.js';
import { Conversation } from '../../conversation/conversation.js';
import { posterStudio } from './poster-studio.js';

const tools: ChatRequest['tools'] = ['choose_style', 'poster_details', 'generate_poster'].map((name) => ({
  type: 'function',
  function: { name },
}));
const FORM = {
  headline: 'Tea & Leaves',
  date: '12 October',
  size: 'square',
  background: '#ffffff',
  accent: '#112233',
};

const user = (content: string): ChatMessage => ({ role: 'user', content });
const called = (name: string, args: JsonObject, result: unknown): ChatMessage[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: name, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  },
  { role: 'tool', tool_call_id: name, content: typeof result === 'string' ? result : JSON.stringify(result) },
];
const styled = (result: unknown = { style: 'botanical' }) => called('choose_style', { topic: 'tea' }, result);
const filled = (result: unknown = FORM) => called('poster_details', { style: 'botanical' }, result);
const drawn = (result: unknown) => called('generate_poster', { style: 'botanical', ...FORM }, result);
const reply = (...messages: ChatMessage[]) =>
  posterStudio.reply(new Conversation({ model: 'm', messages, tools }));
const stylesOf = (args: unknown) => (args as { styles: { id: string }[] }).styles;
const callOf = (...messages: ChatMessage[]) => reply(...messages).toolCalls?.[0];
const ASK = user('A poster for our autumn tea sale, please');

describe('the steps', () => {
  test('it takes only requests that offer all three tools', () => {
    expect(posterStudio.matches({ model: 'm', messages: [ASK], tools })).toBe(true);
    expect(posterStudio.matches({ model: 'm', messages: [ASK], tools: tools?.slice(1) })).toBe(false);
    expect(posterStudio.matches({ model: 'm', messages: [ASK] })).toBe(false);
  });

  test('first it says a sentence and offers four styles for the topic', () => {
    const answer = reply(ASK);
    expect(answer.text).toContain('**autumn tea sale**');
    expect(answer.toolCalls?.[0]).toMatchObject({
      name: 'choose_style',
      arguments: { topic: 'autumn tea sale' },
    });
    expect(stylesOf(answer.toolCalls?.[0]?.arguments).map((style) => style.id)).toEqual([
      'minimal',
      'botanical',
      'retro',
      'bold',
    ]);
  });

  test('then it suggests details for the chosen style', () => {
    expect(reply(ASK, ...styled()).text).toContain('**Botanical**');
    expect(callOf(ASK, ...styled())).toEqual({
      name: 'poster_details',
      arguments: {
        style: 'botanical',
        suggestion: {
          headline: 'Autumn Tea Sale',
          subtitle: 'Grown with care',
          date: '9–11 October',
          size: 'A3',
          colors: { background: '#eef3e6', accent: '#3f6b3a' },
        },
      },
    });
  });

  test('then it draws with the values of the form, not with its own', () => {
    expect(callOf(ASK, ...styled(), ...filled())).toEqual({
      name: 'generate_poster',
      arguments: { style: 'botanical', ...FORM },
    });
  });

  test('a wrapped or incomplete form is completed from the suggestion', () => {
    const args = callOf(
      ASK,
      ...styled('retro'),
      ...filled({ value: { headline: 'X', size: 'huge' } }),
    )?.arguments;
    expect(args).toMatchObject({
      style: 'retro',
      headline: 'X',
      size: 'A3',
      date: '9–11 October',
      accent: '#c8452d',
    });
  });

  test('at last it closes with headline and style, without another call', () => {
    const answer = reply(
      ASK,
      ...styled(),
      ...filled(),
      ...drawn({ summary: 'Poster drawn', artifactIds: ['art_1'] }),
    );
    expect(answer.toolCalls).toBeUndefined();
    expect(answer.text).toContain('**Tea & Leaves**');
    expect(answer.text).toContain('Botanical');
    expect(answer.text).toMatch(/\n- /);
    expect(answer.text).not.toContain('edited');
  });

  test('values that the person edited before approving are the ones it speaks of', () => {
    const note = {
      result: { summary: 'ok' },
      note: 'The user changed the arguments before approving.',
      arguments: { ...FORM, headline: 'Tea Party', style: 'bold' },
    };
    const { text } = reply(ASK, ...styled(), ...filled(), ...drawn(note));
    expect(text).toContain('**Tea Party**');
    expect(text).toContain('Bold');
    expect(text).toContain('as you edited them');
  });
});

describe('language', () => {
  test('a Chinese request is answered in Chinese throughout', () => {
    const ask = user('为我们的秋季茶叶促销做一张海报');
    expect(callOf(ask)?.arguments).toMatchObject({ topic: '秋季茶叶促销' });
    expect(callOf(ask, ...styled())?.arguments).toMatchObject({
      suggestion: { headline: '秋季茶叶促销', date: '10月9日–11日' },
    });
    expect(reply(ask, ...styled(), ...filled(), ...drawn('{}')).text).toContain('已经完成');
  });
});

describe('the next message', () => {
  const before = [
    ASK,
    ...styled(),
    ...filled(),
    ...drawn('{}'),
    { role: 'assistant', content: 'Done.' } as ChatMessage,
  ];

  test('a wish for another style starts again, that style first, about the same poster', () => {
    const call = callOf(...before, user('make it bolder'));
    expect(call).toMatchObject({ name: 'choose_style', arguments: { topic: 'Tea & Leaves' } });
    expect(stylesOf(call?.arguments)[0]?.id).toBe('bold');
    const chinese = callOf(...before, user('换成复古风'));
    expect(stylesOf(chinese?.arguments)[0]).toMatchObject({
      id: 'retro',
      title: '复古',
    });
    expect(callOf(...before, user('make it bolder'), ...styled())?.arguments).toMatchObject({
      suggestion: { headline: 'Tea & Leaves', date: '12 October' },
    });
  });

  test.each(['hi', 'Hello there!', 'thanks, looks great', '谢谢你！', '你好'])(
    '%j gets words only',
    (text) => {
      expect(reply(...before, user(text)).toolCalls).toBeUndefined();
    },
  );
});

describe('what goes wrong', () => {
  test.each([
    [{ status: 'declined', advice: 'The user said no.' }, 'Nothing was drawn'],
    [{ error: { code: 'wait_expired', message: 'nobody answered' } }, 'time ran out'],
    ['superseded by a newer message', 'overtaken'],
    [{ error: { kind: 'invalid_arguments' } }, 'could not show'],
  ])('after a component result %j it stops, in words', (result, words) => {
    for (const answer of [reply(ASK, ...styled(result)), reply(ASK, ...styled(), ...filled(result))]) {
      expect(answer.text).toContain(words);
      expect(answer.toolCalls).toBeUndefined();
    }
  });

  test.each([
    [{ status: 'declined', reason: 'too expensive' }, 'was not drawn'],
    [{ status: 'failed', error: { code: 'render_failed', message: 'x' } }, 'reported an error'],
    [{ status: 'cancelled' }, 'was cancelled'],
    [{ status: 'expired' }, 'did not answer in time'],
    [{ status: 'unknown' }, 'reported an error'],
  ])('after a drawing result %j it explains, and offers a way on', (result, words) => {
    const answer = reply(ASK, ...styled(), ...filled(), ...drawn(result));
    expect(answer.text).toContain(words);
    expect(answer.text).toContain('Tea & Leaves');
    expect(answer.toolCalls).toBeUndefined();
  });

  test('a form whose text speaks of failure is no failure', () => {
    const form = { ...FORM, headline: 'Cancelled Flights, a Failed Play' };
    expect(callOf(ASK, ...styled(), ...filled(form))?.arguments).toMatchObject({ headline: form.headline });
  });

  test('when the tool may not be called in this turn, it says so', () => {
    const request: ChatRequest = { model: 'm', messages: [ASK], tools, tool_choice: 'none' };
    expect(posterStudio.reply(new Conversation(request)).toolCalls).toBeUndefined();
  });
});
