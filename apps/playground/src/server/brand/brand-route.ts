import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../backend-problem.js';
import { createBrandServer } from './brand-server.js';

/**
 * `POST /mcp/brand`: the brand book over Streamable HTTP. It keeps no session, so it may be restarted between any two
 * requests; without one there is nothing to listen to or to end, and the other methods are not taken.
 */
export function brandRoute(app: FastifyInstance): void {
  app.post('/mcp/brand', async (request, reply) => {
    const server = createBrandServer();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    reply.hijack();
    reply.raw.once('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request.raw, reply.raw, request.body);
  });
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp/brand',
    handler: (request, reply) => {
      const detail = 'There are no sessions here. Use POST.';
      return sendProblem(request, reply.header('allow', 'POST'), 405, 'method_not_allowed', detail);
    },
  });
}
