import { Body, Controller, Delete, Get, Inject, Param, Post, Put } from '@nestjs/common';
import { toIso } from '@plinth/engine';
import {
  type IdentityProviderCheck,
  type IdentityProviderView,
  identityProviderCheck,
  identityProviderPage,
  identityProviderView,
  type Page,
  putIdentityProviderRequest,
} from '@plinth/protocol';
import { z } from 'zod';
import { Operation } from '../../platform/http/operation.js';
import { Caller } from '../../platform/http/principal-guard.js';
import { zod } from '../../platform/http/zod-pipe.js';
import type { Principal } from '../principal.js';
import { requireScope } from '../scopes.js';
import { KeyFetcher, KeysUnavailable } from './fetch-keys.js';
import { type IdentityProvider, IdentityProviders, noSuchProvider } from './identity-providers.js';

/** Longest that a check may take: two documents. */
const CHECK_MS = 15_000;
const deleted = z.object({ deleted: z.literal(true) });
const tag = 'identity providers';

/** The identity providers of a tenant, for its operations staff. */
@Controller('v1/identity-providers')
export class IdentityProvidersController {
  constructor(
    @Inject(IdentityProviders) private readonly providers: IdentityProviders,
    @Inject(KeyFetcher) private readonly keys: KeyFetcher,
  ) {}

  @Get()
  @Operation({
    summary: 'All identity providers, by key',
    tag,
    access: 'api_key',
    status: 200,
    response: identityProviderPage,
    errors: [],
  })
  async list(@Caller() caller: Principal): Promise<Page<IdentityProviderView>> {
    requireScope(caller, 'admin');
    const { items, nextCursor } = await this.providers.list(caller.tenantId);
    return { items: items.map(toView), nextCursor };
  }

  @Get(':key')
  @Operation({
    summary: 'One identity provider',
    tag,
    access: 'api_key',
    status: 200,
    response: identityProviderView,
    errors: ['not_found'],
  })
  async read(@Caller() caller: Principal, @Param('key') key: string): Promise<IdentityProviderView> {
    requireScope(caller, 'admin');
    return toView(await this.#named(caller, key));
  }

  @Put(':key')
  @Operation({
    summary: 'Set an identity provider up, or change it',
    description:
      'From now on, in every process, pages may send its access tokens in place of session tokens. A pair of issuer and audience is in one configuration of the platform only.',
    tag,
    access: 'api_key',
    status: 200,
    body: putIdentityProviderRequest,
    response: identityProviderView,
    errors: ['invalid_request', 'identity_provider_conflict', 'identity_provider_taken'],
  })
  async put(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Body(zod(putIdentityProviderRequest)) body: z.output<typeof putIdentityProviderRequest>,
  ): Promise<IdentityProviderView> {
    requireScope(caller, 'admin');
    const { expectedRevision, ...definition } = body;
    return toView(await this.providers.put(caller.tenantId, key, definition, expectedRevision));
  }

  @Delete(':key')
  @Operation({
    summary: 'Take an identity provider away',
    description: 'Its tokens are refused from now on, in every process. What its people have made stays.',
    tag,
    access: 'api_key',
    status: 200,
    response: deleted,
    errors: ['not_found'],
  })
  async remove(@Caller() caller: Principal, @Param('key') key: string): Promise<z.infer<typeof deleted>> {
    requireScope(caller, 'admin');
    await this.providers.remove(caller.tenantId, key);
    return { deleted: true };
  }

  @Post(':key/check')
  @Operation({
    summary: 'Fetch the keys of an identity provider now',
    description: 'Tells which public keys it has, or why they cannot be had. Changes nothing.',
    tag,
    access: 'api_key',
    status: 200,
    response: identityProviderCheck,
    errors: ['not_found'],
  })
  async check(@Caller() caller: Principal, @Param('key') key: string): Promise<IdentityProviderCheck> {
    requireScope(caller, 'admin');
    const { definition } = await this.#named(caller, key);
    try {
      const { names } = await this.keys.fetch(caller.tenantId, definition, AbortSignal.timeout(CHECK_MS));
      return { ok: true, keys: names };
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) throw error;
      return { ok: false, reason: error.reason, detail: `The identity provider ${error.message}.` };
    }
  }

  async #named(caller: Principal, key: string): Promise<IdentityProvider> {
    const provider = await this.providers.find(caller.tenantId, key);
    if (provider === null) throw noSuchProvider(key);
    return provider;
  }
}

function toView({ key, revision, definition, createdAt, updatedAt }: IdentityProvider): IdentityProviderView {
  return { key, revision, ...definition, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) };
}
