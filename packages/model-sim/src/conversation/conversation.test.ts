import { describe, expect, test } from 'vitest';
import type { ChatMessage, ChatRequest } from '../api/chat-request.js';
import { Conversation } from './conversation.js';

const tools: ChatRequest['tools'] = ['search', 'draw'].map((name) => ({
  type: 'function',
  function: { name },
}));
const turn = (id: string, name: string, args: string, result: string): ChatMessage[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
  },
  { role: 'tool', tool_call_id: id, content: result },
];
const messages: ChatMessage[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'first' },
  ...turn('a', 'search', '{"q":"old"}', 'old result'),
  { role: 'assistant', content: 'done' },
  { role: 'user', content: [{ type: 'text', text: '换成复古风' }] },
  ...turn('b', 'search', '{"q":1}', 'one'),
  ...turn('c', 'search', 'not json', 'two'),
  { role: 'system', content: 'turn 3 of 8' },
];
const conversation = new Conversation({ model: 'm', messages, tools });

describe('a conversation', () => {
  test('knows the last user text and its language', () => {
    expect(conversation.lastUserText).toBe('换成复古风');
    expect(conversation.language).toBe('zh');
    expect(conversation.systemText).toBe('Be kind.\nturn 3 of 8');
  });
  test('counts only the answers since the last user message', () => {
    expect(conversation.turnsSinceLastUser).toBe(2);
  });
  test('does not take the pictures of a result for a message of the user', () => {
    const image_url = { url: 'data:image/png;base64,AAAA' };
    const shown: ChatMessage = { role: 'user', content: [{ type: 'image_url', image_url }] };
    const [last] = messages.slice(-1);
    const withPicture = new Conversation({
      model: 'm',
      messages: [...messages.slice(0, -1), shown, ...(last ? [last] : [])],
      tools,
    });
    expect(withPicture.turnsSinceLastUser).toBe(2);
    expect(withPicture.lastUserText).toBe('换成复古风');
  });
  test('gives the newest call of a tool, apart from those of earlier runs', () => {
    expect(conversation.lastCallOf('search')).toEqual({
      id: 'c',
      name: 'search',
      arguments: {},
      result: 'two',
    });
    expect(conversation.lastCallOf('draw')).toBeUndefined();
    expect(conversation.earlierCallOf('search')).toMatchObject({
      arguments: { q: 'old' },
      result: 'old result',
    });
  });
  test('may call an offered tool unless the tool choice forbids it', () => {
    const withChoice = (tool_choice: ChatRequest['tool_choice']) =>
      new Conversation({ model: 'm', messages, tools, tool_choice });
    expect(conversation.mayCall('draw')).toBe(true);
    expect(conversation.mayCall('fly')).toBe(false);
    expect(withChoice('none').mayCall('draw')).toBe(false);
    expect(withChoice({ type: 'function', function: { name: 'search' } }).mayCall('draw')).toBe(false);
    const allowed = {
      mode: 'auto' as const,
      tools: [{ type: 'function' as const, function: { name: 'draw' } }],
    };
    expect(withChoice({ type: 'allowed_tools', allowed_tools: allowed }).mayCall('draw')).toBe(true);
    expect(withChoice({ type: 'allowed_tools', allowed_tools: allowed }).mayCall('search')).toBe(false);
  });
});
