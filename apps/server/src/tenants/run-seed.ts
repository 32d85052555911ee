import { PlinthError } from '@plinth/protocol';
import { parseApiKey } from '../auth/api-key.js';
import { TenantDatabase } from '../platform/database/tenant-database.js';
import { type Business, readBusinessFiles } from './business-files.js';
import type { Variables } from './definition-file.js';
import { seedBusiness } from './seed-business.js';
import { servicesOn } from './seed-services.js';

/** What to print, and whether it went wrong. */
export interface SeedReport {
  lines: string[];
  failed: boolean;
}

/** The seed command without its process: reads the environment and the files, tells every problem at once. */
export async function runSeed(directory: string | undefined, variables: Variables): Promise<SeedReport> {
  const { DATABASE_APP_URL: url = '', PLINTH_DEMO_API_KEY: apiKey = '' } = variables;
  const files = directory === undefined ? null : await readBusinessFiles(directory, variables);
  const problems = [
    ...(files === null ? ['name the directory with the tenant, its agents and its tools'] : []),
    ...(URL.canParse(url) ? [] : ['DATABASE_APP_URL must be the Postgres URL of the app role']),
    ...(parseApiKey(apiKey)
      ? []
      : ['PLINTH_DEMO_API_KEY must look like plk_<4 to 16 letters or digits>_<32 to 128 characters>']),
    ...(files === null || files.ok ? [] : files.problems),
  ];
  if (problems.length > 0 || files === null || !files.ok) {
    return {
      failed: true,
      lines: ['The business was not seeded:', ...problems.map((problem) => `  - ${problem}`)],
    };
  }
  return seedInto(url, files.business, apiKey);
}

async function seedInto(url: string, business: Business, apiKey: string): Promise<SeedReport> {
  const database = new TenantDatabase({ url, poolSize: 2 });
  try {
    await database.assertSafeRole();
    return { failed: false, lines: await seedBusiness(servicesOn(database), business, apiKey) };
  } catch (error) {
    return { failed: true, lines: ['The business was not seeded:', `  - ${messageOf(error)}`] };
  } finally {
    await database.close();
  }
}

function messageOf(error: unknown): string {
  if (PlinthError.isInstance(error)) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The first lines of the driver's errors quote code; the last one says what happened.
  return error.message.trim().split('\n').at(-1)?.trim() ?? error.name;
}
