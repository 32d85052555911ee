/** Clears what a test run that was killed left in the temporary directory: its services and their data. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAbandoned } from '../services/claim.mjs';

export const TEST_DIRECTORY_PREFIX = 'plinth-test-';

export async function clearLeftovers() {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith(TEST_DIRECTORY_PREFIX));
  for (const name of names) {
    const directory = join(tmpdir(), name);
    // A directory without a claim may belong to a run that is just starting.
    const services = ['postgres', 'redis'].map((service) => join(directory, service));
    if (!services.some((service) => existsSync(join(service, 'claim.json')))) continue;
    const ended = await Promise.all(services.map(endAbandoned));
    if (ended.every(Boolean)) rmSync(directory, { recursive: true, force: true });
  }
}
