import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

export type LuaArgument = string | number | Buffer;

/** A script that runs atomically inside Redis. Sent once; from then on only its digest is. */
export class LuaScript {
  readonly #digest: string;

  constructor(
    private readonly source: string,
    private readonly keyCount: number,
  ) {
    this.#digest = createHash('sha1').update(source).digest('hex');
  }

  async run(redis: Redis, keys: readonly string[], args: readonly LuaArgument[]): Promise<unknown> {
    if (keys.length !== this.keyCount)
      throw new Error(`the script takes ${this.keyCount} keys, not ${keys.length}`);
    try {
      return await redis.evalsha(this.#digest, this.keyCount, ...keys, ...args);
    } catch (error) {
      // A Redis that was restarted or has failed over does not know the script. Nothing of it has run then.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await redis.eval(this.source, this.keyCount, ...keys, ...args);
    }
  }
}
