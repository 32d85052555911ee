import type { ToolCache } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { Redis } from 'ioredis';
import { LuaScript } from '../platform/redis/lua-script.js';
import type { RedisKeys } from '../platform/redis/redis-keys.js';
import { GET_RESULT, PUT_RESULT } from './tool-cache-1.lua.js';

const get = new LuaScript(GET_RESULT, 2);
const put = new LuaScript(PUT_RESULT, 2);

/** Results that one tenant keeps at most. With the longest that is kept (64 KiB) that makes 64 MiB. */
const MOST_RESULTS = 1_000;

/** Results of tools in Redis, in two keys for each tenant. */
export class RedisToolCache implements ToolCache {
  constructor(
    private readonly redis: Redis,
    private readonly keys: RedisKeys,
    private readonly mostResults = MOST_RESULTS,
  ) {}

  async get(tenant: TenantId, key: string): Promise<string | null> {
    return (await get.run(this.redis, this.#keysOf(tenant), [key])) as string | null;
  }

  async put(tenant: TenantId, key: string, text: string, ttlSeconds: number): Promise<void> {
    await put.run(this.redis, this.#keysOf(tenant), [key, text, ttlSeconds * 1000, this.mostResults]);
  }

  #keysOf(tenant: TenantId): [string, string] {
    const { results, ends } = this.keys.toolCache(tenant);
    return [results, ends];
  }
}
