/** What the test run hands to every integration and browser test: `inject('plinth')`. */
export interface TestServices {
  /** Superuser (or owner of databases) of the test server, in its default database. */
  readonly adminUrl: string;
  /** The role `plinth_app` in the template database; `createTestDatabase` gives the one of a clone. */
  readonly appUrl: string;
  readonly redisUrl: string;
  /** How many numbered databases that Redis has. */
  readonly redisDatabases: number;
  /** A migrated database that nobody connects to. */
  readonly templateDatabase: string;
  /** Path of the browser for end-to-end tests; null when there is none or no such test is part of the run. */
  readonly chromium: string | null;
}

import type {} from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    plinth: TestServices;
  }
}
