import type { InterruptId } from '@plinth/protocol';
import { aCall, anInterrupt, aTurn } from '@plinth/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DerivedKeys } from '../src/auth/derived-keys.js';
import { SignedCallbackTokens } from '../src/tools/callback-token.js';
import { Callbacks } from '../src/tools/callbacks.js';
import { type DatabaseFixture, openDatabase } from './database-fixture.js';

let fixture: DatabaseFixture;
let callbacks: Callbacks;
beforeAll(async () => {
  fixture = await openDatabase();
  callbacks = new Callbacks(fixture.database);
});
afterAll(() => fixture.close());

const tokens = new SignedCallbackTokens(
  new DerivedKeys('kV3n8Qz1rT6yWb0mXc5uLd9pHs2fGj7e'),
  'https://plinth.test',
);

test('a token leads to its interrupt and tenant, without anybody naming the tenant', async () => {
  const tenant = await fixture.addTenant();
  const run = await fixture.addRun(tenant);
  const interruptId = fixture.ids.next('interrupt') as InterruptId;
  const { token, tokenHash } = tokens.issue(tenant.id, interruptId);
  const call = aCall();
  await fixture.ledger.transact(tenant.id, run.id, () => ({
    decision: {
      changes: [
        { type: 'turn.append', turn: aTurn() },
        { type: 'call.create', call },
        {
          type: 'interrupt.open',
          interrupt: anInterrupt({ id: interruptId, callId: call.id, callbackTokenHash: tokenHash }),
        },
      ],
      events: [],
    },
    result: null,
  }));
  expect(await callbacks.find(token)).toEqual({ tenant: tenant.id, interruptId });
});

test('a token that nobody was given leads nowhere', async () => {
  const { id } = await fixture.addTenant();
  expect(await callbacks.find(tokens.issue(id, 'int_none' as InterruptId).token)).toBeNull();
  expect(await callbacks.find('cbt_short')).toBeNull();
});
