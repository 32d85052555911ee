import 'reflect-metadata';
import { EnvironmentError, readEnvironment } from './platform/config/environment.js';
import { createLogger } from './platform/logging/logger.js';
import { startServer } from './platform/wiring/start-server.js';

/** Milliseconds after which a process that does not close is ended. */
const CLOSE_TIMEOUT_MS = 15_000;

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const environment = readEnvironment(process.env);
  const logger = createLogger(environment.PLINTH_LOG_LEVEL);
  const server = await startServer(environment, logger, process.env);
  logger.info({ url: server.url, role: environment.PLINTH_ROLE }, 'plinth serves');

  const stop = (signal: string) => {
    logger.info({ signal }, 'closing');
    setTimeout(
      () => fail('Closing took too long; ended. Runs go on in another worker.'),
      CLOSE_TIMEOUT_MS,
    ).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => fail(`Closing failed: ${String(error)}`),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  if (error instanceof EnvironmentError) fail(error.message);
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    fail(`The port is taken by another program: ${error.message}. Set PORT to a free one.`);
  }
  fail(`The server could not start: ${error instanceof Error ? error.message : String(error)}`);
});
