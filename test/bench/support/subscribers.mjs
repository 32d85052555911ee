/**
 * A process of its own that follows many event streams at once, as raw sockets and with as little work as it can, so
 * that it measures the server and not itself. What it is told and tells: `{ url, credential, messageIds, perMessage }` ->
 * `{ opened }`; `{ lastOf }`, the number of the last entry of each message -> the result.
 */
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Opening a stream costs the server a look into the database. */
const OPENED_AT_ONCE = 20;
const LATE_MS = 15_000;

const agent = new Agent({ keepAlive: false });
const latencies = [];
let subscribers = [];

process.on('message', async (message) => {
  if (message.messageIds) {
    subscribers = await openAll(message);
    process.send({ opened: subscribers.length });
  } else {
    process.send(await result(message.lastOf), () => process.exit(0));
  }
});

async function openAll({ url, credential, messageIds, perMessage }) {
  const wanted = Array.from({ length: perMessage }, () => messageIds).flat();
  const all = [];
  const open = async () => {
    for (let id = wanted.pop(); id !== undefined; id = wanted.pop())
      all.push(await follow(url, credential, id));
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, open));
  return all;
}

/** Resolves when the stream has begun. */
function follow(url, credential, messageId) {
  const subscriber = { messageId, epoch: null, n: 0, lost: 0, repeated: 0, announcedGaps: 0, broken: false };
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${credential}` };
    const request = get(`${url}/v1/messages/${messageId}/events`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`a stream answered ${response.statusCode}`));
      let rest = '';
      response.setEncoding('latin1');
      response.on('data', (chunk) => {
        const at = now();
        const frames = (rest + chunk).split('\n\n');
        rest = frames.pop();
        for (const frame of frames) take(subscriber, frame, at);
      });
      response.on('close', () => {
        subscriber.broken = true;
      });
      response.on('error', () => {});
      resolve(subscriber);
    });
    request.on('error', reject);
  });
}

/** One frame: `id: <epoch>-<n>`, `event: <kind>`, `data: <json>`. Comments and `retry` have no id. */
function take(subscriber, frame, at) {
  if (!frame.startsWith('id: ')) return;
  const dash = frame.indexOf('-');
  const epoch = frame.slice(4, dash);
  const n = Number(frame.slice(dash + 1, frame.indexOf('\n')));
  if (!frame.includes('\nevent: message\n')) {
    subscriber.announcedGaps += 1;
    return;
  }
  if (subscriber.epoch !== null && epoch !== subscriber.epoch) subscriber.announcedGaps += 1;
  subscriber.epoch = epoch;
  if (n <= subscriber.n) subscriber.repeated += 1;
  else subscriber.lost += n - subscriber.n - 1;
  subscriber.n = Math.max(n, subscriber.n);
  const sentAt = /"sentAt":([\d.]+)/.exec(frame)?.[1];
  if (sentAt !== undefined) latencies.push(at - Number(sentAt));
}

/** Waits for what is still on its way; what has not come then is lost. */
async function result(lastOf) {
  const deadline = performance.now() + LATE_MS;
  const isBehind = ({ messageId, n }) => n < lastOf[messageId];
  while (subscribers.some(isBehind) && performance.now() < deadline) await pause(50);
  const sum = (of) => subscribers.reduce((total, subscriber) => total + of(subscriber), 0);
  return {
    latencies,
    lost: sum(({ lost, n, messageId }) => lost + Math.max(0, lastOf[messageId] - n)),
    repeated: sum(({ repeated }) => repeated),
    announcedGaps: sum(({ announcedGaps }) => announcedGaps),
    broken: sum(({ broken }) => Number(broken)),
  };
}

/** Milliseconds of the machine's monotonic clock, which all its processes share. */
function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}
