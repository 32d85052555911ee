/** What the main thread of a page did, read from a trace of Chromium: its tasks, and what they were spent on. */

const SCRIPT =
  /^(?:FunctionCall|EvaluateScript|RunMicrotasks|FireAnimationFrame|TimerFire|EventDispatch|v8\.|V8\.|XHR)/;
const LAYOUT = /^(?:UpdateLayoutTree|Layout|PrePaint|RecalculateStyles|IntersectionObserver|HitTest)/;
const PAINT = /^(?:Paint|Layerize|Commit|CompositeLayers|UpdateLayer|Decode)/;
const GARBAGE = /(?:GC|V8\.GC|BlinkGC)/;

const kindOf = (name) => {
  if (GARBAGE.test(name)) return 'garbage';
  if (LAYOUT.test(name)) return 'layout';
  if (PAINT.test(name)) return 'paint';
  return SCRIPT.test(name) ? 'script' : 'other';
};

/**
 * The tasks of the main thread that has most of them, which is the page's. Milliseconds: `ms` on the clock, `cpuMs` of the
 * thread itself (without what other programs took of the processor), and the parts `script`, `layout`, `paint`,
 * `garbage` and `other` of `cpuMs`.
 */
export function tasksOf({ traceEvents }) {
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const byThread = new Map();
  for (const event of traceEvents) {
    const thread = `${event.pid} ${event.tid}`;
    if (event.ph !== 'X' || !mains.has(thread)) continue;
    if (!byThread.has(thread)) byThread.set(thread, []);
    byThread.get(thread).push(event);
  }
  const all = [...byThread.values()].map(tasksOfThread);
  return all.sort((a, b) => total(b) - total(a))[0] ?? [];
}

const total = (tasks) => tasks.reduce((sum, { ms }) => sum + ms, 0);

function tasksOfThread(events) {
  // An event that holds another begins before it, or with it and ends later.
  const ordered = events.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const tasks = [];
  const open = [];
  for (const event of ordered) {
    while (open.length > 0 && open.at(-1).end <= event.ts) open.pop();
    const ms = event.dur / 1000;
    const cpuMs = (event.tdur ?? 0) / 1000;
    const isTask = event.name === 'RunTask' || event.name === 'ThreadControllerImpl::RunTask';
    if (open.length === 0 && !isTask) continue;
    const task = open.length === 0 ? newTask(event, ms, cpuMs) : open[0].task;
    if (open.length === 0) tasks.push(task);
    const kind = kindOf(event.name);
    task[kind] += cpuMs;
    if (open.length > 0) task[open.at(-1).kind] -= cpuMs;
    open.push({ end: event.ts + event.dur, kind, task });
  }
  return tasks;
}

const newTask = ({ ts }, ms, cpuMs) => ({
  at: ts / 1000,
  ms,
  cpuMs,
  script: 0,
  layout: 0,
  paint: 0,
  garbage: 0,
  other: 0,
});
