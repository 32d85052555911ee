/** Runs Vitest with its own output on the terminal, and counts from its report. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';

export async function runVitest({ projects, filters }) {
  const directory = mkdtempSync(join(tmpdir(), 'plinth-report-'));
  const report = join(directory, 'report.json');
  const { code } = await run(
    'vitest',
    [
      'run',
      ...projects.flatMap((name) => ['--project', name]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      '--passWithNoTests',
      ...filters,
    ],
    { show: true },
  );
  const counts = existsSync(report) ? count(JSON.parse(readFileSync(report, 'utf8'))) : { failed: 0 };
  rmSync(directory, { recursive: true, force: true });
  // An error outside of any test, or a crash before the report was written, is a failure too.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** A file that could not even be loaded has no tests; it counts as one failure. */
export function count({ testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests = 0 }) {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests + numTodoTests,
  };
}
