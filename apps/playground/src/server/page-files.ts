import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from './backend-problem.js';

/** Scripts and styles come from this origin only; styles set by script (React's `style`) are not inline styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');

const YEAR_SECONDS = 31_536_000;

/** Serves the built page under `/playground/`; an unknown path below it gets the page too, as links hold state. */
export async function pageFiles(app: FastifyInstance, root: string): Promise<void> {
  if (!existsSync(join(root, 'index.html'))) {
    throw new Error(
      `The page is not built: ${join(root, 'index.html')} is missing. Build it with: vite build`,
    );
  }
  await app.register(fastifyStatic, {
    root,
    prefix: '/playground/',
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(root, 'assets'));
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      reply.header('x-content-type-options', 'nosniff');
      if (path.endsWith('.html')) reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    },
  });
  app.get('/playground/plain', (_request, reply) => reply.sendFile('plain.html'));
  app.get('/playground', (_request, reply) => reply.redirect('/playground/', 308));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isPage = path.startsWith('/playground/') && !/^\/playground\/(api|assets)\//.test(path);
    if (isPage && request.method === 'GET') return reply.sendFile('index.html');
    return sendProblem(request, reply, 404, 'not_found', `There is nothing at ${request.method} ${path}.`);
  });
}
