/** `npm start`: from a fresh clone to a running Plinth, in one command. See scripts/start/. */
import { runAsCommand } from './lib/command.mjs';

runAsCommand(import.meta, async () => {
  const { start } = await import('./start/start.mjs');
  // A terminal that was closed must not keep the rest from being stopped in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  await start(process.env);
});
