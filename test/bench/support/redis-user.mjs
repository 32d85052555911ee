/** A Redis user of its own for the server under test, so that its connections can be told from all others. */
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

export async function createRedisUser(redisUrl) {
  const name = `bench-${randomBytes(4).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  const admin = new Redis(redisUrl);
  await admin.call('ACL', 'SETUSER', name, 'on', `>${password}`, 'allkeys', 'allchannels', '+@all');
  const url = new URL(redisUrl);
  url.username = name;
  url.password = password;
  return {
    url: url.toString(),
    /** How many connections it holds. */
    async connections() {
      const list = await admin.call('CLIENT', 'LIST');
      return list.split('\n').filter((line) => line.includes(` user=${name} `)).length;
    },
    async close() {
      await admin.call('ACL', 'DELUSER', name);
      admin.disconnect();
    },
  };
}
