import type { EventOutbox } from '@plinth/engine';
import type { MessageId, TenantId } from '@plinth/protocol';
import { describe, expect, it } from 'vitest';
import { LogPositions } from './log-positions.js';

const acme = 'ten_acme' as TenantId;
const stream = { kind: 'message', id: 'msg_1' as MessageId } as const;
const outbox: EventOutbox = {
  pending: async () => [],
  markPublished: async () => {},
  announce: async () => {},
  position: async () => ({ epoch: 2, tail: 3 }),
  raiseEpoch: async (_tenant, _stream, from) => from + 1,
};

describe('the position of a log', () => {
  it('is what the ledger says, until this process has seen more', async () => {
    const positions = new LogPositions(outbox);
    expect(positions.known(acme, stream)).toBeNull();
    expect(await positions.current(acme, stream)).toEqual({ epoch: 2, tail: 3 });
    positions.reached(acme, stream, '2-9');
    expect(await positions.current(acme, stream)).toEqual({ epoch: 2, tail: 9 });
    expect(positions.known('ten_other' as TenantId, stream)).toBeNull();
  });

  it('is not taken back by a reply that comes late', async () => {
    const positions = new LogPositions(outbox);
    positions.reached(acme, stream, '2-9');
    positions.reached(acme, stream, '2-7');
    await positions.raise(acme, stream, { epoch: 2, tail: 9 });
    positions.reached(acme, stream, '2-10');
    expect(positions.known(acme, stream)).toEqual({ epoch: 3, tail: 0 });
  });
});
