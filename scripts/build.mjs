/** `npm run build`: generates the Prisma client, compiles every package, and builds the pages. Only what is stale. */
import { runAsCommand } from './lib/command.mjs';

runAsCommand(import.meta, async () => {
  const { createProgress } = await import('./lib/progress.mjs');
  const { setUp } = await import('./setup/set-up.mjs');
  await setUp(createProgress());
});
