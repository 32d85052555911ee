/**
 * Projects, run one after the other:
 * - unit: beside the source, needs nothing;
 * - integration: real Postgres and Redis, private to the run;
 * - e2e: the whole product in a real browser, one file at a time, so that timings mean something;
 * - peers: clients of others in a real browser. Those that are small enough are in e2e as well.
 * Workspace packages resolve to their sources, so a test never runs against a stale build.
 */
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const resolve = { conditions: ['@plinth/source', 'module', 'node', 'development|production'] };
/** Milliseconds for the hooks that start databases, servers and browsers, on a machine that is busy with other things. */
const START_MS = 180_000;
/** What runs in Node is resolved as Node does it: files under "module" may be fit for bundlers only. */
const ssr = { resolve: { conditions: ['@plinth/source', 'node', 'development|production'] } };

interface Project {
  name: string;
  order: number;
  include: string[];
  exclude?: string[];
  timeoutMs: number;
  workers: number;
}

function project({ name, order, include, exclude, timeoutMs, workers }: Project): TestProjectConfiguration {
  return {
    resolve,
    ssr,
    // Nest's decorators on parameters, also in test files, which no tsconfig.json includes.
    oxc: { decorator: { legacy: true } },
    test: {
      name,
      include,
      exclude: ['**/node_modules/**', '**/dist/**', ...(exclude ?? [])],
      pool: 'forks',
      maxWorkers: workers,
      fileParallelism: workers > 1,
      sequence: { groupOrder: order },
      testTimeout: timeoutMs,
      hookTimeout: START_MS,
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: ['scripts/testing/global-setup.mjs'],
    teardownTimeout: 20_000,
    projects: [
      project({
        name: 'unit',
        order: 0,
        include: [
          'packages/*/src/**/*.test.{ts,tsx}',
          'apps/*/src/**/*.test.{ts,tsx}',
          'scripts/{bench,checks,lib,start,testing}/**/*.test.mjs',
          'test/chaos/**/*.test.mjs',
        ],
        // Against tests that hang. Speed is measured in the benchmarks.
        timeoutMs: 20_000,
        workers: 2,
      }),
      project({
        name: 'integration',
        order: 1,
        include: [
          'apps/*/test/**/*.test.ts',
          'packages/testkit/test/**/*.test.ts',
          'test/cases/**/*.test.ts',
          'scripts/{database,services}/**/*.test.mjs',
        ],
        timeoutMs: 30_000,
        workers: 2,
      }),
      project({
        name: 'e2e',
        order: 2,
        include: ['test/e2e/**/*.test.ts', 'test/packages/**/*.test.ts', 'test/peers/assistant-ui.test.ts'],
        timeoutMs: 90_000,
        workers: 1,
      }),
      project({
        name: 'peers',
        order: 3,
        include: ['test/peers/*.test.ts'],
        timeoutMs: 120_000,
        workers: 1,
      }),
    ],
  },
});
