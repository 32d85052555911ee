import { Body, Controller, Inject, Post } from '@nestjs/common';
import { type SessionTokenResponse, sessionTokenRequest, sessionTokenResponse } from '@plinth/protocol';
import type { z } from 'zod';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import type { Principal } from './principal.js';
import { requireScope } from './scopes.js';
import { SessionTokens } from './session-tokens.js';

@Controller('v1/session-tokens')
export class SessionTokensController {
  constructor(@Inject(SessionTokens) private readonly tokens: SessionTokens) {}

  @Post()
  @Operation({
    summary: 'Mint a session token for one end user',
    description:
      "Called by the business's back end, which knows who the person is. The token goes to the page; the API key never does.",
    tag: 'sessions',
    access: 'api_key',
    status: 201,
    body: sessionTokenRequest,
    response: sessionTokenResponse,
    errors: ['invalid_request'],
  })
  mint(
    @Caller() caller: Principal,
    @Body(zod(sessionTokenRequest)) body: z.output<typeof sessionTokenRequest>,
  ): Promise<SessionTokenResponse> {
    requireScope(caller, 'runs');
    return this.tokens.mint(caller.tenantId, body);
  }
}
