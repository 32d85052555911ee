import { PlinthError } from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { readBusinessFiles } from './business-files.js';
import type { Variables } from './definition-file.js';
import { seedBusiness } from './seed-business.js';
import { servicesOn } from './seed-services.js';

/** The files of the business do not hold. The message lists every problem and is meant for a person. */
export class BusinessFilesError extends Error {
  constructor(directory: string, problems: readonly string[]) {
    super(
      `The files in ${directory} cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'BusinessFilesError';
  }
}

/**
 * Brings a directory of files into the database when a server starts. Any number of processes may do it at once: what
 * says the same already is left as it is. API keys are not touched.
 *
 * @returns what was done, a line each
 * @throws BusinessFilesError when anything in the files is wrong; nothing has been written then, unless what is wrong
 *   shows only beside what is there (an agent that names a tool which nobody has registered)
 */
export async function loadBusiness(
  database: TenantDatabase,
  directory: string,
  variables: Variables,
): Promise<string[]> {
  const files = await readBusinessFiles(directory, variables);
  if (!files.ok) throw new BusinessFilesError(directory, files.problems);
  try {
    return await seedBusiness(servicesOn(database), files.business, null);
  } catch (error) {
    throw PlinthError.isInstance(error) ? new BusinessFilesError(directory, [error.message]) : error;
  }
}
