/**
 * The way back. Steps are added as things are started and run in the opposite order, once.
 *
 * Ctrl-C, SIGTERM and a closed terminal end the process with code 0 after that; a second Ctrl-C, seconds
 * later, does not wait. (A terminal and npm may both pass on the same Ctrl-C, so an immediate second one is
 * taken for the first.)
 */
const SAME_PRESS_MS = 1_500;

export function createShutdown({ log }) {
  const steps = [];
  const cancelled = new AbortController();
  let running;
  let askedAt;

  const shutdown = {
    /** Aborted as soon as the way back begins. */
    signal: cancelled.signal,
    add: (step) => steps.unshift(step),
    run() {
      cancelled.abort();
      running ??= runAll(steps);
      return running;
    },
    async giveUp(message) {
      if (cancelled.signal.aborted) return;
      console.error(`\n✖ ${message}\n`);
      await shutdown.run();
      process.exit(1);
    },
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => asked());
  return shutdown;

  async function asked() {
    if (askedAt && Date.now() - askedAt < SAME_PRESS_MS) return;
    if (askedAt) process.exit(1);
    askedAt = Date.now();
    log('\nStopping (the data is kept)');
    await shutdown.run();
    log('Stopped.');
    process.exit(0);
  }
}

async function runAll(steps) {
  // New steps may arrive while a start that is under way finishes.
  while (steps.length > 0) {
    try {
      await steps.shift()();
    } catch (error) {
      console.error(error);
    }
  }
}
