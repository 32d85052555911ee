/**
 * `node scripts/generate.mjs`: writes what is made of other files, when these changed: the Prisma client of
 * prisma/schema.prisma, and the types of @plinth/client/server of api-surface/openapi.json.
 */
import { runAsCommand } from './lib/command.mjs';

const SCHEMA = 'prisma/schema.prisma';
const OUTPUT = 'apps/server/src/generated/prisma';
const STAMP = 'prisma-client';

/** Returns whether there was something to do. */
export async function generate({ log }) {
  const { generateClient } = await import('./contract/generate-client.mjs');
  const worked = await generatePrisma({ log });
  return (await generateClient({ log })) || worked;
}

async function generatePrisma({ log }) {
  const { existsSync } = await import('node:fs');
  const { join } = await import('node:path');
  const { root } = await import('./lib/paths.mjs');
  const { fingerprintOf, isFresh, writeStamp } = await import('./lib/stamps.mjs');

  if (!existsSync(join(root, SCHEMA))) return false;
  const fingerprint = fingerprintOf([SCHEMA, 'node_modules/prisma/package.json']);
  if (existsSync(join(root, OUTPUT)) && isFresh(STAMP, fingerprint)) return false;
  log('Generating the Prisma client');
  await runPrismaGenerate();
  writeStamp(STAMP, fingerprint);
  return true;
}

/** Generating needs no schema engine, but Prisma would download one: naming any program prevents that. */
async function runPrismaGenerate() {
  const { run } = await import('./lib/run.mjs');
  const { SetupProblem } = await import('./lib/problem.mjs');
  const { code, output } = await run('prisma', ['generate', '--schema', SCHEMA], {
    env: {
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  if (code !== 0) throw new SetupProblem(`prisma generate failed:\n${output}`);
}

runAsCommand(import.meta, async () => {
  const { ensureInstalled } = await import('./setup/install.mjs');
  await ensureInstalled({ log: console.log });
  const worked = await generate({ log: console.log });
  if (!worked) console.log('Everything that is generated is up to date.');
});
