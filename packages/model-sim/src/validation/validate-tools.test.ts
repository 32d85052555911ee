import { describe, expect, test } from 'vitest';
import { accepted, refused } from './validation-checks.test-support.js';

const user = { role: 'user', content: 'hello' };
const tool = (definition: object = {}) => ({
  type: 'function',
  function: { name: 'look_up', parameters: { type: 'object', properties: {} }, ...definition },
});
describe('tool definitions', () => {
  test('a name outside the pattern is refused', () => {
    expect(refused([user], { tools: [tool({ name: 'look.up' })] })).toEqual({
      status: 400,
      message:
        "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
      param: 'tools[0].function.name',
      code: 'invalid_value',
    });
    expect(refused([user], { tools: [tool({ name: 'x'.repeat(65) })] }).code).toBe('string_above_max_length');
  });
  test('parameters that are no object schema are refused', () => {
    const code = 'invalid_function_parameters';
    expect(refused([user], { tools: [tool({ parameters: { type: 'string' } })] })).toMatchObject({
      message: `Invalid schema for function 'look_up': schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
      code,
    });
    expect(refused([user], { tools: [tool({ parameters: {} })] }).message).toContain('type: "None"');
    expect(refused([user], { tools: [tool({ parameters: 'none' })] }).code).toBe('invalid_type');
    expect(refused([user], { tools: [tool({ parameters: { type: 'object', oneOf: [] } })] }).code).toBe(code);
    const list = { type: 'object', properties: { names: { type: 'array' } } };
    expect(refused([user], { tools: [tool({ parameters: list })] }).message).toContain(
      'array schema missing items',
    );
  });
  test('an empty list of tools is refused', () => {
    expect(refused([user], { tools: [] }).code).toBe('empty_array');
  });
  test('a tool choice needs tools, and must name one of them', () => {
    expect(refused([user], { tool_choice: 'auto' }).param).toBe('tool_choice');
    const allowed = (name: string) => ({
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name } }] },
    });
    expect(refused([user], { tools: [tool()], tool_choice: allowed('other') }).message).toContain("'other'");
    accepted([user], { tools: [tool()], tool_choice: allowed('look_up') });
  });
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'tool_choice.allowed_tools'],
    ['no mode', { tools: [] }, 'tool_choice.allowed_tools.mode'],
    ['a mode that is not known', { mode: 'none', tools: [] }, 'tool_choice.allowed_tools.mode'],
    ['no tools', { mode: 'auto' }, 'tool_choice.allowed_tools.tools'],
    ['an empty list', { mode: 'auto', tools: [] }, 'tool_choice.allowed_tools.tools'],
    [
      'a tool without a type',
      { mode: 'auto', tools: [{ function: { name: 'look_up' } }] },
      'tool_choice.allowed_tools.tools[0].type',
    ],
  ])('allowed tools with %s are refused', (_name, allowed, param) => {
    const choice = { type: 'allowed_tools', allowed_tools: allowed };
    expect(refused([user], { tools: [tool()], tool_choice: choice }).param).toBe(param);
  });
});
