import { type CanActivate, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.js';
import { requireApiKey } from '../../auth/scopes.js';
import { OPERATION, type OperationSpec } from './operation.js';

declare module 'fastify' {
  interface FastifyRequest {
    principal?: Principal;
  }
}

/** Finds out who calls. An endpoint without an `@Operation` is a mistake and is refused. */
export class PrincipalGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticate: (authorization: string | undefined) => Promise<Principal>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const spec = this.reflector.get<OperationSpec | undefined>(OPERATION, context.getHandler());
    if (!spec) throw new Error(`${context.getClass().name}.${context.getHandler().name} has no @Operation`);
    if (spec.access === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.principal = await this.authenticate(request.headers.authorization);
    if (spec.access === 'api_key') requireApiKey(request.principal);
    return true;
  }
}

/** The caller, as the guard found it out: `@Caller() caller: Principal`. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('a public endpoint has no caller');
  return principal;
});
