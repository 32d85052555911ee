import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { ERROR_STATUS, type ErrorCode, PlinthError, type Problem } from '@plinth/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { withoutTokens } from '../logging/logger.js';

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Cannot be processed',
  428: 'Precondition missing',
  500: 'Internal error',
  503: 'Not ready',
};

function codeOfStatus(status: number): ErrorCode {
  if (status === 404) return 'not_found';
  if (status === 413) return 'body_too_large';
  return status < 500 ? 'invalid_request' : 'internal_error';
}

/** Errors of Fastify itself (a body that is not JSON, too large) carry a status of their own. */
function frameworkStatus(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus();
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null;
}

/** What a caller reads of an error. A bug says nothing of itself but its request id. */
export function problemOf(error: unknown, requestId: string): Problem {
  const make = (code: ErrorCode, status: number, detail: string): Problem => ({
    type: `https://plinth.dev/errors/${code}`,
    title: TITLES[status] ?? 'Error',
    status,
    code,
    detail,
    requestId,
  });
  if (PlinthError.isInstance(error)) {
    const { code, message, fields, facts } = error;
    return {
      ...make(code, ERROR_STATUS[code], message),
      ...(fields.length > 0 ? { errors: fields } : {}),
      ...(Object.keys(facts).length > 0 ? { facts } : {}),
    };
  }
  const status = frameworkStatus(error);
  if (status !== null)
    return make(
      codeOfStatus(status),
      status,
      error instanceof Error ? error.message : 'The request cannot be read.',
    );
  return make(
    'internal_error',
    500,
    'Something went wrong on our side. Nothing was half-written; give us the request id.',
  );
}

/** The one place where an error becomes an HTTP answer, and where a bug is logged. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const problem = problemOf(error, request.id);
    if (problem.status >= 500) {
      const tenant = request.principal?.tenantId;
      this.logger.error(
        {
          err: error,
          requestId: request.id,
          tenant,
          method: request.method,
          url: withoutTokens(request.url),
        },
        'request failed',
      );
    }
    if (reply.sent || reply.raw.headersSent) return;
    reply
      .status(problem.status)
      .header('content-type', 'application/problem+json; charset=utf-8')
      .send(problem);
  }
}
