import type { Problem } from '@plinth/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers with `application/problem+json`, the same shape as every error of Plinth itself. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  code: string,
  detail: string,
): FastifyReply {
  const body: Problem = {
    type: 'about:blank',
    title: code.replaceAll('_', ' '),
    status,
    code,
    detail,
    requestId: request.id,
  };
  return reply.code(status).type('application/problem+json').send(JSON.stringify(body));
}
