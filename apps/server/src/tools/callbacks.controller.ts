import { createHash } from 'node:crypto';
import { Body, Controller, Inject, Param, Post, Req } from '@nestjs/common';
import {
  type ArtifactStore,
  answerFromOutside,
  type DoorPorts,
  reportProgress,
  type StoredAnswer,
} from '@plinth/engine';
import {
  type AnswerResponse,
  answerResponse,
  type CallbackResult,
  callbackProgress,
  callbackResult,
  type InterruptId,
  PlinthError,
  type TenantId,
} from '@plinth/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Operation } from '../platform/http/operation.js';
import { rawBodyOf } from '../platform/http/raw-body.js';
import { zod } from '../platform/http/zod-pipe.js';
import { ARTIFACT_STORE, DOOR_PORTS } from '../platform/tokens.js';
import { storeCallbackFiles } from './callback-files.js';
import { CallbackSignatures } from './callback-signatures.js';
import { Callbacks } from './callbacks.js';

const noted = z.object({ noted: z.literal(true) });

/** Where remote jobs answer. The unguessable token in the path is the credential: it names one interrupt, once. */
@Controller('v1/callbacks')
export class CallbacksController {
  constructor(
    @Inject(Callbacks) private readonly callbacks: Callbacks,
    @Inject(CallbackSignatures) private readonly signatures: CallbackSignatures,
    @Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore,
    @Inject(DOOR_PORTS) private readonly ports: DoorPorts,
  ) {}

  @Post(':token')
  @Operation({
    summary: "A remote job's result",
    description:
      'Single use. The same body again gets the same answer, so a delivery may be repeated; another body gets 409.',
    tag: 'callbacks',
    access: 'public',
    status: 200,
    body: callbackResult,
    response: answerResponse,
    errors: [
      'invalid_request',
      'forbidden',
      'not_found',
      'interrupt_already_answered',
      'interrupt_closed',
      'body_too_large',
    ],
  })
  async result(
    @Param('token') token: string,
    @Body(zod(callbackResult)) body: CallbackResult,
    @Req() request: FastifyRequest,
  ): Promise<AnswerResponse> {
    const { tenant, interruptId } = await this.find(token, request);
    const requestId = `callback:${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`;
    const answer: StoredAnswer = { type: 'callback', outcome: await this.outcomeOf(tenant, body) };
    return answerFromOutside(this.ports, tenant, interruptId, {
      requestId,
      answer,
      by: { kind: 'remote', id: 'callback' },
    });
  }

  @Post(':token/progress')
  @Operation({
    summary: "A remote job's progress",
    tag: 'callbacks',
    access: 'public',
    status: 202,
    body: callbackProgress,
    response: noted,
    errors: ['invalid_request', 'forbidden', 'not_found', 'interrupt_closed'],
  })
  async progress(
    @Param('token') token: string,
    @Body(zod(callbackProgress)) body: z.output<typeof callbackProgress>,
    @Req() request: FastifyRequest,
  ): Promise<z.infer<typeof noted>> {
    const { tenant, interruptId } = await this.find(token, request);
    await reportProgress(this.ports, tenant, interruptId, body);
    return { noted: true };
  }

  private async find(
    token: string,
    request: FastifyRequest,
  ): Promise<{ tenant: TenantId; interruptId: InterruptId }> {
    const found = await this.callbacks.find(token);
    if (!found) throw new PlinthError('not_found', 'There is no such callback.');
    await this.signatures.check(found.tenant, found.interruptId, {
      header: (name) => {
        const value = request.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      body: () => rawBodyOf(request),
    });
    return found;
  }

  private async outcomeOf(
    tenant: TenantId,
    body: CallbackResult,
  ): Promise<(StoredAnswer & { type: 'callback' })['outcome']> {
    if (body.status === 'failed') return { ok: false, error: body.error };
    return {
      ok: true,
      result: body.result,
      files: await storeCallbackFiles(this.artifacts, tenant, body.files),
    };
  }
}
