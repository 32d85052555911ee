/** Says what is going on: one line a step with the time it took, details indented while it works. */

export function createProgress() {
  const startedAt = Date.now();
  const log = (line) => console.log(String(line).replaceAll(/^/gm, '    '));
  return {
    log,
    async step(title, work) {
      const stepStartedAt = Date.now();
      const result = await work(log);
      console.log(`✔ ${title} ${formatMs(Date.now() - stepStartedAt)}`);
      return result;
    },
    total: () => formatMs(Date.now() - startedAt),
  };
}

export function formatMs(ms) {
  return ms < 1000 ? `(${ms} ms)` : `(${(ms / 1000).toFixed(1)} s)`;
}
