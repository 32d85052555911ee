import { describe, expect, test } from 'vitest';
import { accepted, refusal, refused } from './validation-checks.test-support.js';

const user = { role: 'user', content: 'hello' };
const call = (id: string, name = 'look_up', args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const asks = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' });
describe('the request as a whole', () => {
  test('a request without a model is refused', () => {
    expect(refusal({ messages: [user] })).toMatchObject({
      status: 400,
      message: 'you must provide a model parameter',
    });
  });
  test('a body that is no object is refused', () => {
    expect(refusal([])).toMatchObject({ status: 400, code: 'invalid_type' });
  });
  test('missing and empty messages are refused', () => {
    expect(refusal({ model: 'm' })).toMatchObject({ param: 'messages', code: 'missing_required_parameter' });
    expect(refused([])).toMatchObject({ param: 'messages', code: 'empty_array' });
    expect(refusal({ model: 'm', messages: 'hello' })).toMatchObject({
      param: 'messages',
      code: 'invalid_type',
    });
  });
  test('a parameter that the API does not know is refused by name', () => {
    expect(refused([user], { thread_id: 't' })).toMatchObject({ message: "Unknown parameter: 'thread_id'." });
    expect(refused([{ ...user, visibility: 'shadow' }])).toMatchObject({ param: 'messages[0].visibility' });
    expect(refused([user, asks({ ...call('a'), index: 0 }), result('a')])).toMatchObject({
      param: 'messages[1].tool_calls[0].index',
    });
  });
  test('stream options without streaming are refused', () => {
    expect(refused([user], { stream_options: { include_usage: true } })).toMatchObject({
      param: 'stream_options',
    });
    accepted([user], { stream: true, stream_options: { include_usage: true } });
  });
});

describe('messages', () => {
  test('an unknown role is refused, and the known ones are listed', () => {
    expect(refused([{ role: 'robot', content: 'x' }])).toEqual({
      status: 400,
      message:
        "Invalid value: 'robot'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
      param: 'messages[0].role',
      code: 'invalid_value',
    });
  });
  test('only an assistant message that calls tools may be without content', () => {
    expect(refused([{ role: 'user', content: null }])).toMatchObject({ param: 'messages.[0].content' });
    expect(refused([user, { role: 'assistant', content: null }])).toMatchObject({
      param: 'messages.[1].content',
    });
    accepted([user, asks(call('a')), result('a')]);
  });
  test('a number as content is refused', () => {
    expect(refused([{ role: 'user', content: 7 }]).message).toContain('but got an integer instead');
  });
  test('an empty list of tool calls is refused', () => {
    expect(refused([user, { role: 'assistant', content: 'x', tool_calls: [] }])).toMatchObject({
      code: 'empty_array',
    });
  });
  test('tool arguments that are not a string are refused', () => {
    expect(refused([user, asks(call('a', 'look_up', { q: 1 })), result('a')])).toMatchObject({
      message:
        "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
      code: 'invalid_type',
    });
  });
  test('a tool message without an id is refused', () => {
    expect(refused([user, asks(call('a')), { role: 'tool', content: 'x' }])).toMatchObject({
      param: 'messages[2].tool_call_id',
      code: 'missing_required_parameter',
    });
  });
});

describe('tool calls and results', () => {
  test('a call without a result is refused, and the ids are named', () => {
    const message =
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: b, c";
    expect(refused([user, asks(call('a'), call('b'), call('c')), result('a')])).toMatchObject({
      status: 400,
      message,
    });
    expect(refused([user, asks(call('a'), call('b'), call('c')), result('a'), user])).toMatchObject({
      message,
      param: 'messages.[3].role',
    });
  });
  test('a result without a call is refused', () => {
    expect(refused([user, result('a')])).toMatchObject({
      message:
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      param: 'messages.[1].role',
    });
    expect(refused([user, asks(call('a')), result('a'), user, result('a')]).message).toContain(
      'preceeding message',
    );
  });
  test('a result for another call is refused', () => {
    expect(refused([user, asks(call('a')), result('z')]).message).toContain(
      "'tool_call_id' of 'z' not found",
    );
  });
  test('a second result for a call is refused, and both places are named', () => {
    expect(refused([user, asks(call('a')), result('a'), result('a')]).message).toBe(
      "Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[2] and messages[3].",
    );
  });
  test('results may come in any order', () => {
    accepted([user, asks(call('a'), call('b')), result('b'), result('a'), user]);
  });
});
