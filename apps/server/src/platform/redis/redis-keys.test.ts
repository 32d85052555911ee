import type { MessageId, RunId, TenantId } from '@plinth/protocol';
import { describe, expect, it } from 'vitest';
import { RedisKeys } from './redis-keys.js';

const keys = new RedisKeys();
const tenant = 'ten_a' as TenantId;

describe('Redis keys', () => {
  it('all names of one message lie in one slot and carry the tenant', () => {
    const names = Object.values(keys.log(tenant, { kind: 'message', id: 'msg_1' as MessageId }));
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^plinth:\{msg:msg_1\}:ten_a:[a-z]+$/);
  });

  it('the same id under another tenant is another key', () => {
    const runId = 'run_1' as RunId;
    expect(keys.snapshot(tenant, runId)).not.toBe(keys.snapshot('ten_b' as TenantId, runId));
  });

  it.each(['a}:ten_b:events', 'a:b', '', 'a b'])('the id %j cannot be part of a key', (id) => {
    expect(() => keys.snapshot(tenant, id as RunId)).toThrow('cannot build a Redis key');
    expect(() => keys.snapshot(id as TenantId, 'run_1' as RunId)).toThrow('cannot build a Redis key');
  });
});
