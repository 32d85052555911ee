import { describe, expect, it } from 'vitest';
import { checkTool } from './check-tool.js';

const tool = (more: object) => ({
  key: 'search',
  title: 'Search',
  description: 'Searches.',
  parameters: { type: 'object' },
  executor: { kind: 'remote', url: 'https://jobs.example/search' },
  ...more,
});

describe('what a tool may say of its result', () => {
  it('nothing: the model reads 2000 tokens at most, of a list 20 items, and what was cut is kept', () => {
    expect(checkTool(tool({}))).toMatchObject({
      ok: true,
      tool: { result: { maxTokens: 2000, artifact: 'auto', open: 'auto', sampleArraysOver: 20 } },
    });
  });

  it('an output schema that is none is refused, naming the field', () => {
    expect(checkTool(tool({ output: { type: 'many' } }))).toMatchObject({
      ok: false,
      fields: [{ path: 'output', message: expect.stringContaining('is not a JSON Schema') }],
    });
  });

  it('a summary with a broken place is refused, naming the field', () => {
    expect(checkTool(tool({ result: { summary: '{{total} orders' } }))).toMatchObject({
      ok: false,
      fields: [{ path: 'result.summary', message: expect.stringContaining('braces') }],
    });
  });

  it('a limit out of bounds is refused, naming the field', () => {
    expect(checkTool(tool({ result: { maxTokens: 10 } }))).toMatchObject({
      ok: false,
      fields: [{ path: 'result.maxTokens' }],
    });
  });
});
