import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { sendProblem } from './backend-problem.js';
import { brandRoute } from './brand/brand-route.js';
import { posterJobs } from './jobs/poster-jobs.js';
import type { PlinthAccess } from './mint-session-token.js';
import { pageFiles } from './page-files.js';
import { printPriceRoute } from './print-shop/print-price-route.js';
import { sessionRoute } from './session-route.js';
import { signedRoutes } from './signed/signed-routes.js';

export type BackendOptions = {
  plinth: PlinthAccess;
  jobDelayMs: number;
  /** Whether the page's inspector may show what the model was sent. */
  inspector: boolean;
  /** Folder of the built page. Without it only the API is served. */
  pageRoot?: string;
  logger?: FastifyServerOptions['logger'];
};

/** Poster studio's own backend: visitors, session tokens, the page, and the services that its agent's tools use. */
export async function createBackend(options: BackendOptions): Promise<FastifyInstance> {
  const app = Fastify({
    logger: options.logger ?? false,
    // Only the proxy on this machine may say which protocol the visitor used.
    trustProxy: '127.0.0.1',
    forceCloseConnections: true,
  });
  app.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return sendProblem(request, reply, status, 'invalid_request', error.message);
    request.log.error(error);
    return sendProblem(
      request,
      reply,
      status,
      'internal_error',
      'Poster studio could not do this. Try again.',
    );
  });
  app.get('/healthz', () => ({ status: 'ok' }));
  sessionRoute(app, options);
  brandRoute(app);
  printPriceRoute(app);
  await app.register(signedRoutes, { plinth: options.plinth });
  await app.register(posterJobs, { delayMs: options.jobDelayMs });
  if (options.pageRoot !== undefined) await pageFiles(app, options.pageRoot);
  return app;
}
