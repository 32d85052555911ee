import { expect, test } from 'vitest';
import { count } from './run-vitest.mjs';

const report = (testResults, numbers) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
  ...numbers,
});

test('a file that could not be loaded counts as a failure', () => {
  const broken = { status: 'failed', assertionResults: [] };

  expect(count(report([broken], { numPassedTests: 3 }))).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('a file with a failed test is not counted twice', () => {
  const failing = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] };
  const numbers = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };

  expect(count(report([failing], numbers))).toEqual({ passed: 1, failed: 1, skipped: 3 });
});
