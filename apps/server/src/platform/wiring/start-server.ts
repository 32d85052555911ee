import cors from '@fastify/cors';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { loadBusiness } from '../../tenants/load-business.js';
import type { Environment } from '../config/environment.js';
import { publicUrlOf } from '../config/public-url.js';
import { createHttpAdapter } from '../http/create-http-adapter.js';
import { serveDocs } from '../http/docs-page.js';
import { servePlayground } from '../http/playground-proxy.js';
import { NestLogger } from '../logging/logger.js';
import { appModule } from './app.module.js';
import { buildPlatform } from './build-platform.js';
import { startWorker } from './worker.js';

export interface RunningServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts one process in its role and resolves when it serves. Closing lets requests and runs reach a safe point.
 *
 * @param variables what `${NAME}` in the files of the business stands for
 * @throws Error with a message for a person: database not reachable, role not safe, artifacts cannot be
 *   kept, files of the business wrong, port taken
 */
export async function startServer(
  environment: Environment,
  logger: Logger,
  variables: Readonly<Record<string, string | undefined>> = {},
): Promise<RunningServer> {
  const platform = await buildPlatform(environment, logger);
  const shutdown = new AbortController();
  try {
    await platform.database.assertSafeRole();
    await platform.storage.check();
    const servesApi = environment.PLINTH_ROLE !== 'worker';
    // A worker needs no files: what its runs are pinned to is in the database.
    if (servesApi && environment.PLINTH_BUSINESS_DIR !== '') {
      const done = await loadBusiness(platform.database, environment.PLINTH_BUSINESS_DIR, variables);
      for (const line of done) logger.info({ directory: environment.PLINTH_BUSINESS_DIR }, line);
    }
    const publicUrl = publicUrlOf(environment);
    const app = await NestFactory.create<NestFastifyApplication>(
      appModule(platform, { servesApi, publicUrl, shutdown: shutdown.signal }),
      createHttpAdapter(),
      { logger: new NestLogger(logger), abortOnError: false },
    );
    const http = app.getHttpAdapter().getInstance();
    if (environment.PLINTH_CORS_ORIGINS.length > 0) {
      await app.register(cors, {
        origin: environment.PLINTH_CORS_ORIGINS,
        // By itself it allows what a form may do: no page of another origin could save or delete.
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        exposedHeaders: ['x-request-id'],
        maxAge: 600,
      });
    }
    await serveDocs(http);
    if (servesApi && environment.PLAYGROUND_URL) await servePlayground(http, environment.PLAYGROUND_URL);
    const worker = environment.PLINTH_ROLE === 'api' ? null : await startWorker(platform, publicUrl);
    await app.listen(environment.PORT, environment.PLINTH_HOST);
    return {
      url: await app.getUrl(),
      async close() {
        shutdown.abort();
        await worker?.close();
        await app.close();
        await platform.close();
      },
    };
  } catch (error) {
    await platform.close().catch(() => {});
    throw error;
  }
}
