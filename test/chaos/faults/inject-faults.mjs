/** Lets faults happen, one after another at random times, until it is told to stop. */
import { setTimeout as pause } from 'node:timers/promises';
import { bagOf } from '../seeded-random.mjs';
import { ALL_FAULTS, FAULTS } from './fault-kinds.mjs';

/** Names of faults in the order in which they come; undefined when there are no more. */
function drawFrom(names, once, random) {
  if (!once) return bagOf(names, random);
  const left = [...names];
  return () => left.shift();
}

/**
 * Begins. Faults overlap, but no two are about one store or one process. Returns what stops it and resolves
 * when all is up again.
 */
export function injectFaults(world, { random, everyMs, faults, once }) {
  const names = faults ?? ALL_FAULTS;
  const draw = drawFrom(names, once, random.fork('order'));
  const stopped = new AbortController();
  const busy = new Set();
  /** Processes may also be in the supervisor's hands: one that died by itself, or by a fault of another target. */
  const isFree = (target) =>
    target === undefined ||
    (!busy.has(target) && (!world.plinth[target] || world.supervisor.areUp(world.plinth[target])));
  const history = [];
  const under = new Set();

  const inject = async (name, nth) => {
    const { target, run } = FAULTS[name];
    const note = { t: world.now(), name, about: target, until: null };
    history.push(note);
    world.count(name);
    if (target) busy.add(target);
    try {
      const about = await run(world, random.fork(`${name} ${nth}`));
      if (typeof about === 'string') note.about = about;
    } catch (error) {
      note.failed = String(error.message ?? error);
    } finally {
      if (target) busy.delete(target);
      note.until = world.now();
    }
  };

  const loop = (async () => {
    for (let nth = 0; !stopped.signal.aborted; nth += 1) {
      const name = draw();
      if (name === undefined) return;
      const { target } = FAULTS[name];
      while (!isFree(target) && !stopped.signal.aborted) await pause(50);
      // Counted from when it is up: what just came up gets the time to do something.
      const waitMs = everyMs * (0.5 + random.next());
      await pause(waitMs, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
      const work = inject(name, nth);
      under.add(work);
      void work.finally(() => under.delete(work));
    }
  })();

  return {
    history,
    async stop() {
      stopped.abort();
      await loop;
      await Promise.all(under);
    },
    /** Resolves when every fault of a list that comes once has come. */
    all: () => loop.then(() => Promise.all(under)),
  };
}
