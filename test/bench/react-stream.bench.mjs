/**
 * Long answers that stream into `<plinth-chat>` in a real Chromium whose main thread is four times as slow as this machine:
 * code of 200 kB and a table of 60 rows, in large chunks and fast, and in small chunks and slower.
 *
 * Everything on the way is real: the model's HTTP stream, a server in all its roles, the event stream, the client's reducer,
 * React. Tasks of the page's main thread are taken from a trace, `on the clock` and as the thread's own processor time,
 * which neighbours on the machine do not lengthen. A frame is slow when the browser itself says so
 * (`long-animation-frame`, 50 ms and more).
 */
import { loadavg } from 'node:os';
import { scripted } from '@plinth/model-sim';
import { startPlinth, until } from '@plinth/testkit/system';
import { answers, LAST_WORDS } from './support/long-answers.mjs';
import { askTool } from './support/platform.mjs';
import { openSlowPage, startBrowser } from './support/slow-page.mjs';

const SLOWDOWN = Number(process.env.PLINTH_BENCH_SLOWDOWN ?? 4);
const SLOW_MS = 50;
const PATIENT_MS = 120_000;
/** Tasks below are timers and messages of the browser itself; they would only thin out the percentiles. */
const LEAST_TASK_MS = 1;

/** Model chunks: some 260 kB a second, as a gateway in front of a quick model gathers them, and some 16 kB. */
const RATES = {
  'in chunks of 4 kB': { firstTokenMs: 200, perChunkMs: 15, chunkCharacters: 4096 },
  'in chunks of 64 B': { firstTokenMs: 200, perChunkMs: 3, chunkCharacters: 64 },
};

/** Loading it again is the same after either rate. */
const REPLAYED = 'in chunks of 4 kB';

export default async function measure(services) {
  const plinth = await startPlinth({
    topology: 'single',
    appUrl: services.appUrl,
    redisUrl: services.redisUrl,
    business: () => ({ key: 'bench', tools: [askTool] }),
    environment: { NODE_ENV: 'production' },
  });
  const browser = await startBrowser();
  try {
    const rows = [
      { name: 'Chromium', unit: 'version', value: browser.version() },
      // Of the last minute, this program's own start included: neighbours lengthen what is measured on the clock.
      { name: 'load of the machine', unit: 'processes', value: loadavg()[0] },
    ];
    for (const [what, text] of Object.entries(answers)) {
      for (const [how, latency] of Object.entries(RATES)) {
        const { streamed, reloaded } = await show(plinth, browser, text, latency);
        rows.push(...rowsOf(`${what}, ${how}`, streamed));
        if (how === REPLAYED) rows.push(...rowsOf(`${what}, loaded from the history`, reloaded));
      }
    }
    return rows;
  } finally {
    await browser.close();
    await plinth.close();
  }
}

/** Streams the answer into the page, and then loads the page again, with the answer in its history. */
async function show(plinth, browser, text, latency) {
  const { sim, url } = plinth;
  sim.setLatency({ firstTokenMs: 0, perChunkMs: 0 });
  sim.setScenarios([scripted([{ text: 'Hello.' }])]);
  const ada = await plinth.session();
  const { threadId, messageId } = await ada.start('hello');
  await ada.ended(messageId);
  const slow = await openSlowPage(browser, {
    origin: url,
    threadId,
    token: ada.credential,
    slowdown: SLOWDOWN,
  });
  try {
    await slow.load();
    await slow.until('Hello.', PATIENT_MS);
    sim.setLatency(latency);
    sim.setScenarios([scripted([{ text }])]);
    const streamed = await slow.measure(async () => {
      const run = await ada.start('go on', { threadId });
      const isOver = async () => (await ada.run(run.runId)).status === 'completed';
      await until('the end of the answer', isOver, PATIENT_MS);
      await slow.until(LAST_WORDS, PATIENT_MS);
    });
    const reloaded = await slow.measure(async () => {
      await slow.load();
      await slow.until(LAST_WORDS, PATIENT_MS);
    });
    return { streamed, reloaded };
  } finally {
    await slow.close();
  }
}

function rowsOf(name, { tasks, slow, gaps }) {
  const worth = tasks.filter(({ ms }) => ms >= LEAST_TASK_MS);
  const longest = worth.reduce((a, b) => (b.cpuMs > a.cpuMs ? b : a));
  const long = worth.filter(({ ms }) => ms > SLOW_MS);
  const share = (kind) => Math.round(long.reduce((sum, task) => sum + task[kind], 0));
  return [
    { name: `${name}: task`, unit: 'ms', samples: worth.map(({ ms }) => ms) },
    { name: `${name}: task, processor time`, unit: 'ms', samples: worth.map(({ cpuMs }) => cpuMs) },
    { name: `${name}: between frames`, unit: 'ms', samples: gaps },
    {
      name: `${name}: tasks over ${SLOW_MS} ms`,
      unit: 'tasks',
      value: long.length,
      script: share('script'),
      layout: share('layout'),
      paint: share('paint'),
      garbage: share('garbage'),
      longest,
    },
    { name: `${name}: slow frames`, unit: 'frames', value: slow.length, frames: slow },
  ];
}
