import { describe, expect, it } from 'vitest';
import { unsuccessfulText } from './result-text.js';
import { failureKindOf, TOOL_FAILURE_KINDS } from './tool-failures.js';

const textOf = (code: string) => unsuccessfulText('failed', { code, message: 'What happened.' });

describe('what a model reads of a call that failed', () => {
  it.each(TOOL_FAILURE_KINDS)('%s: what kind it is, what happened, and what to do', (kind) => {
    expect(JSON.parse(textOf(kind))).toMatchSnapshot();
  });

  it.each(['declined', 'expired', 'cancelled', 'superseded', 'unknown'] as const)(
    '%s: the same',
    (status) => {
      expect(JSON.parse(unsuccessfulText(status, null))).toMatchSnapshot();
    },
  );

  it('every kind has words of its own', () => {
    const advice = TOOL_FAILURE_KINDS.map((kind) => (JSON.parse(textOf(kind)) as { advice: string }).advice);
    expect(new Set(advice).size).toBe(TOOL_FAILURE_KINDS.length);
  });

  it("a code that is no kind is the tool's own word for what went wrong", () => {
    expect(failureKindOf({ code: 'no_paper' })).toBe('remote_error');
    expect(failureKindOf({ code: 'toString' })).toBe('remote_error');
    expect(failureKindOf({ code: 'outcome_unknown' })).toBe('unknown_outcome');
  });
});
