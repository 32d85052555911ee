import { Body, Controller, Delete, Get, Inject, Param, Put } from '@nestjs/common';
import {
  type Page,
  type PutSecretRequest,
  page,
  putSecretRequest,
  type SecretView,
  secretName,
  secretView,
} from '@plinth/protocol';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { parseOrRefuse, zod } from '../platform/http/zod-pipe.js';
import { type SecretEntry, TenantSecrets } from './tenant-secrets.js';

const deleted = z.object({ name: secretName, deleted: z.literal(true) });
const nameInPath = z.object({ name: secretName });

/** The secrets that a tenant's tools refer to. Values go in and never come out. */
@Controller('v1/secrets')
export class SecretsController {
  constructor(@Inject(TenantSecrets) private readonly secrets: TenantSecrets) {}

  @Get()
  @Operation({
    summary: 'The names of all secrets',
    tag: 'secrets',
    access: 'api_key',
    status: 200,
    response: page(secretView),
    errors: [],
  })
  async list(@Caller() caller: Principal): Promise<Page<SecretView>> {
    requireScope(caller, 'admin');
    return { items: (await this.secrets.list(caller.tenantId)).map(toView), nextCursor: null };
  }

  @Put(':name')
  @Operation({
    summary: 'Store a secret',
    description:
      'Replaces the value before. Tools use it as `{{secrets.NAME}}`, from their next call on. It is encrypted, and cannot be read again.',
    tag: 'secrets',
    access: 'api_key',
    status: 200,
    body: putSecretRequest,
    response: secretView,
    errors: ['invalid_request'],
  })
  async put(
    @Caller() caller: Principal,
    @Param('name') name: string,
    @Body(zod(putSecretRequest)) body: PutSecretRequest,
  ): Promise<SecretView> {
    requireScope(caller, 'admin');
    parseOrRefuse(nameInPath, { name });
    return toView(await this.secrets.put(caller.tenantId, name, body.value));
  }

  @Delete(':name')
  @Operation({
    summary: 'Delete a secret',
    description: 'Tools that refer to it fail from their next call on, and say which secret is missing.',
    tag: 'secrets',
    access: 'api_key',
    status: 200,
    response: deleted,
    errors: ['not_found'],
  })
  async delete(@Caller() caller: Principal, @Param('name') name: string): Promise<z.infer<typeof deleted>> {
    requireScope(caller, 'admin');
    await this.secrets.delete(caller.tenantId, name);
    return { name, deleted: true };
  }
}

function toView({ name, createdAt, updatedAt }: SecretEntry): SecretView {
  return { name, createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}
