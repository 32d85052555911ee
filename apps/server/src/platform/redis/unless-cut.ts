import type { Redis } from 'ioredis';

/**
 * The reply, unless the connection breaks first: one that sends nothing a second time would leave the reply to its
 * timeout.
 *
 * @throws Error when it broke; whether the command was carried out is not known then
 */
export async function unlessCut<T>(redis: Redis, reply: Promise<T>): Promise<T> {
  // What waits to be sent is not lost with a connection that could not be made.
  if (redis.status !== 'ready') return reply;
  let onCut = () => {};
  const cut = new Promise<never>((_resolve, reject) => {
    onCut = () => reject(new Error('the connection to Redis broke before a reply came'));
    redis.once('close', onCut);
  });
  try {
    return await Promise.race([reply, cut]);
  } finally {
    redis.off('close', onCut);
  }
}
