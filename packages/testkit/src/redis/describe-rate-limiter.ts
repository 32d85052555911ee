import type { RateLimiter, RateLimitUse } from '@plinth/engine';
import type { EndUserId, TenantId } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const acme = 'ten_acme' as TenantId;
const ADA = 'ada: {a} person' as EndUserId;
const EVE = 'eve' as EndUserId;
let tools = 0;
const aTool = (): string => {
  tools += 1;
  return `tool_${tools}`;
};

export interface RateLimiterUnderTest {
  limiter: RateLimiter;
  /** Lets this many seconds pass. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** The rules of every `RateLimiter`. */
export function describeRateLimiter(name: string, open: () => Promise<RateLimiterUnderTest>): void {
  describe(`rate limiter: ${name}`, () => {
    let underTest: RateLimiterUnderTest;
    beforeAll(async () => {
      underTest = await open();
    });
    afterAll(() => underTest.close());

    const limit = (fields: Partial<RateLimitUse> = {}): RateLimitUse => ({
      tool: aTool(),
      endUserId: null,
      max: 2,
      perSeconds: 60,
      ...fields,
    });
    const isFree = async (use: RateLimitUse, tenant = acme) =>
      (await underTest.limiter.take(tenant, use)).retryAfterSeconds === null;

    it('lets as many through as it says, and tells the next one when to come back', async () => {
      const use = limit();
      expect([await isFree(use), await isFree(use)]).toEqual([true, true]);
      const { retryAfterSeconds } = await underTest.limiter.take(acme, use);
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(55);
      expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    });

    it('lets no more through when many come at once', async () => {
      const use = limit({ max: 3 });
      const free = await Promise.all(Array.from({ length: 20 }, () => isFree(use)));
      expect(free.filter(Boolean)).toHaveLength(3);
    });

    it('counts each tool, tenant and end user by themselves', async () => {
      const use = limit({ max: 1 });
      expect(await isFree(use)).toBe(true);
      expect(await isFree(use)).toBe(false);
      expect(await isFree({ ...use, tool: aTool() })).toBe(true);
      expect(await isFree(use, 'ten_other' as TenantId)).toBe(true);
      expect(await isFree({ ...use, endUserId: ADA })).toBe(true);
      expect(await isFree({ ...use, endUserId: EVE })).toBe(true);
      expect(await isFree({ ...use, endUserId: ADA })).toBe(false);
    });

    it('begins anew when its time has passed', async () => {
      const use = limit({ max: 1, perSeconds: 1 });
      expect(await isFree(use)).toBe(true);
      expect(await isFree(use)).toBe(false);
      await underTest.pass(1);
      expect(await isFree(use)).toBe(true);
    });
  });
}
