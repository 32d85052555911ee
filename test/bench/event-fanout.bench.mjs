/**
 * 1,000 event streams over 100 messages, with 10 events a second in each message: 10,000 deliveries a second.
 *
 * Four processes: a real server in all its roles; the subscribers; Redis; and this one, which appends through the
 * platform's own event writer. A latency goes from the call of the writer to the bytes in the subscriber's process, both
 * by the machine's monotonic clock. Each stream must bring every number once and in order, from the first entry to the
 * last that was appended; a gap that is announced counts too, since nothing was trimmed. The server's connections to
 * Redis are counted by the user that it logs in as.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { startPlinth } from '@plinth/testkit/system';
import { askTool, openPlatform } from './support/platform.mjs';
import { createRedisUser } from './support/redis-user.mjs';
import { createRunningMessages } from './support/running-messages.mjs';

const SUBSCRIBERS = Number(process.env.PLINTH_BENCH_SUBSCRIBERS ?? 1_000);
const MESSAGES = Number(process.env.PLINTH_BENCH_MESSAGES ?? 100);
const SECONDS = Number(process.env.PLINTH_BENCH_SECONDS ?? 15);
const EVENTS_PER_SECOND = 10;
/** The first events of a process are slow: code is compiled, scripts are sent. */
const WARM_UP_MS = 1_000;

const now = () => Number(process.hrtime.bigint()) / 1e6;

export default async function measure(services) {
  const user = await createRedisUser(services.redisUrl);
  const plinth = await startPlinth({
    topology: 'single',
    appUrl: services.appUrl,
    redisUrl: user.url,
    business: () => ({ key: 'bench', tools: [askTool] }),
    environment: { NODE_ENV: 'production' },
  });
  const { platform, tenant } = await openPlatform(services);
  const child = fork(new URL('./support/subscribers.mjs', import.meta.url), { execArgv: [] });
  try {
    const messages = await createRunningMessages(platform, tenant, MESSAGES);
    const without = await user.connections();
    child.send({
      url: plinth.url,
      credential: plinth.backend.credential,
      messageIds: messages.map(({ messageId }) => messageId),
      perMessage: Math.round(SUBSCRIBERS / MESSAGES),
    });
    const [{ opened }] = await once(child, 'message');
    const cpu = () => plinth.metric('process_cpu_seconds_total');
    const cpuBefore = await cpu();
    const began = now();
    const writing = Promise.all(messages.map((message, index) => write(platform, tenant, message, index)));
    await pause((SECONDS * 1000) / 2);
    const withAll = await user.connections();
    const lastOf = Object.fromEntries(await writing);
    const seconds = (now() - began) / 1000;
    child.send({ lastOf });
    const [result] = await once(child, 'message');
    const delivered = opened * SECONDS * EVENTS_PER_SECOND - result.lost;
    const cpuMicroseconds = ((await cpu()) - cpuBefore) * 1e6;
    return rowsOf({ ...result, opened, without, withAll, seconds, delivered, cpuMicroseconds });
  } finally {
    child.kill();
    await platform.close();
    await plinth.close();
    await user.close();
  }
}

/** Writes one message's events in time, one after the other. Returns how many there are. */
async function write({ writer }, tenant, { messageId, fence }, index) {
  const stream = { kind: 'message', id: messageId };
  const began = now();
  const events = SECONDS * EVENTS_PER_SECOND;
  const everyMs = 1000 / EVENTS_PER_SECOND;
  const phaseMs = (everyMs * index) / MESSAGES;
  for (let n = 0; n < events; n += 1) {
    const dueMs = began + phaseMs + n * everyMs - now();
    if (dueMs > 0) await pause(dueMs);
    const isWarm = n * everyMs >= WARM_UP_MS;
    const event = { type: 'text.delta', turn: 0, from: n * 24, text: 'twenty-four characters. ' };
    const payload = JSON.stringify({ ...event, ...(isWarm && { sentAt: now() }) });
    const outcome = await writer.delta(tenant, stream, fence, payload);
    if (outcome !== 'appended') throw new Error(`an event was not appended: ${outcome}`);
  }
  return [messageId, events];
}

function rowsOf(result) {
  const count = (name, value) => ({ name, unit: 'count', value });
  const { latencies, delivered, seconds, cpuMicroseconds } = result;
  return [
    { name: 'append -> socket', unit: 'ms', samples: latencies },
    count('subscribers', result.opened),
    { name: 'deliveries', unit: '1/s', value: delivered / seconds },
    { name: 'CPU of the server per delivery', unit: 'µs', value: cpuMicroseconds / delivered },
    count('events lost', result.lost),
    count('events repeated', result.repeated),
    count('gaps announced', result.announcedGaps),
    count('streams broken', result.broken),
    count('connections of the server to Redis, no subscriber', result.without),
    count('connections of the server to Redis, all subscribers', result.withAll),
  ];
}
