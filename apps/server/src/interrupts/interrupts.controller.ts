import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import { answerInterrupt, type DoorPorts, leaseInterrupt } from '@plinth/engine';
import {
  type AnswerResponse,
  answerRequest,
  answerResponse,
  type InterruptId,
  type LeaseResponse,
  leaseRequest,
  leaseResponse,
} from '@plinth/protocol';
import type { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import { DOOR_PORTS } from '../platform/tokens.js';

@Controller('v1/interrupts')
export class InterruptsController {
  constructor(@Inject(DOOR_PORTS) private readonly ports: DoorPorts) {}

  @Post(':interruptId/answer')
  @Operation({
    summary: 'Answer an interrupt',
    description:
      'The first answer wins; a later one gets 409 with who answered and when. The same `requestId` gets its first response again. A submission that does not fit the schema is refused with 422 and the interrupt stays open.',
    tag: 'interrupts',
    access: 'any',
    status: 200,
    body: answerRequest,
    response: answerResponse,
    errors: [
      'invalid_request',
      'not_found',
      'interrupt_already_answered',
      'interrupt_closed',
      'arguments_digest_mismatch',
      'lease_not_held',
      'answer_invalid',
    ],
  })
  answer(
    @Caller() caller: Principal,
    @Param('interruptId') interruptId: string,
    @Body(zod(answerRequest)) body: z.output<typeof answerRequest>,
  ): Promise<AnswerResponse> {
    requireScope(caller, 'runs');
    const { tenantId, viewer, kind, id } = caller;
    const by =
      kind === 'api_key'
        ? { kind: 'api_key' as const, id }
        : { kind: 'end_user' as const, id: viewer.endUserId ?? id };
    return answerInterrupt(this.ports, tenantId, viewer, interruptId as InterruptId, {
      requestId: body.requestId,
      answer: body.answer,
      by,
    });
  }

  @Post(':interruptId/lease')
  @Operation({
    summary: 'Take or renew the lease of a frontend tool',
    description:
      'Of several pages of a person one runs the tool: the one that holds the lease. Another one gets 409 with `until` and whether it may follow then (`mayFollow`). Only the result of the holder is taken.',
    tag: 'interrupts',
    access: 'any',
    status: 200,
    body: leaseRequest,
    response: leaseResponse,
    errors: [
      'invalid_request',
      'not_found',
      'interrupt_leased',
      'interrupt_already_answered',
      'interrupt_closed',
    ],
  })
  lease(
    @Caller() caller: Principal,
    @Param('interruptId') interruptId: string,
    @Body(zod(leaseRequest)) { clientId }: z.output<typeof leaseRequest>,
  ): Promise<LeaseResponse> {
    requireScope(caller, 'runs');
    const { tenantId, viewer } = caller;
    return leaseInterrupt(this.ports, tenantId, viewer, interruptId as InterruptId, clientId);
  }
}
