import { fileURLToPath } from 'node:url';
import { createBackend } from './create-backend.js';
import { parseEnvironment } from './environment.js';

const TOKEN_TIMEOUT_MS = 5_000;

async function main(): Promise<void> {
  const read = parseEnvironment(process.env);
  if (!read.ok)
    throw new Error(`Poster studio cannot start:\n${read.problems.map((line) => `  ${line}`).join('\n')}`);
  const { environment } = read;
  const app = await createBackend({
    plinth: { url: environment.PLINTH_URL, apiKey: environment.PLINTH_API_KEY, timeoutMs: TOKEN_TIMEOUT_MS },
    inspector: environment.PLAYGROUND_INSPECTOR === 'on',
    jobDelayMs: environment.PLAYGROUND_JOB_DELAY_MS,
    pageRoot: fileURLToPath(new URL('../web', import.meta.url)),
    logger: { level: 'info', redact: ['req.headers.authorization', 'req.headers.cookie'] },
  });
  const stop = () => void app.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await app.listen({ host: '127.0.0.1', port: environment.PORT });
}

main().catch((error: NodeJS.ErrnoException) => {
  const taken = error.code === 'EADDRINUSE';
  console.error(
    taken ? `Poster studio cannot start: its port is taken. Set PORT to another one.` : error.message,
  );
  process.exit(1);
});
