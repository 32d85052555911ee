import { type EventOutbox, LOG_START } from '@plinth/engine';
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
  raiseEpoch: async (_tenant, _stream, from) => ({ epoch: from + 1, raised: true, fence: 3 }),
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

  it('brings the right to begin an epoch to the one that raised it, for one append', async () => {
    const positions = new LogPositions(outbox);
    await positions.raise(acme, stream, { epoch: 2, tail: 9 });
    expect(positions.takeBeginning(acme, stream, 2)).toBeUndefined();
    expect(positions.takeBeginning(acme, stream, 3)).toEqual({ fence: 3 });
    expect(positions.takeBeginning(acme, stream, 3)).toBeUndefined();
  });

  it('brings no right to begin an epoch that another one raised', async () => {
    const late = { ...outbox, raiseEpoch: async () => ({ epoch: 3, raised: false, fence: 3 }) };
    const positions = new LogPositions(late);
    await positions.raise(acme, stream, { epoch: 2, tail: 9 });
    expect(positions.known(acme, stream)).toEqual({ epoch: 3, tail: 0 });
    expect(positions.takeBeginning(acme, stream, 3)).toBeUndefined();
  });

  it('brings no right to begin an epoch in which the log stands already', async () => {
    const positions = new LogPositions(outbox);
    await positions.follow(acme, stream, '4-2');
    expect(positions.known(acme, stream)).toEqual({ epoch: 4, tail: 2 });
    expect(positions.takeBeginning(acme, stream, 4)).toBeUndefined();
  });

  it('of a stream that was created here is its start, and the right to begin is there once', async () => {
    const positions = new LogPositions(outbox);
    positions.created(acme, stream);
    expect(await positions.current(acme, stream)).toEqual(LOG_START);
    expect(positions.takeBeginning(acme, stream, 1)).toEqual({ fence: 0 });
    positions.reached(acme, stream, '1-1');
    expect(positions.takeBeginning(acme, stream, 1)).toBeUndefined();
  });
});
