/** A real server process in all its roles, which can be asked for its memory after a garbage collection. */
import { startPlinth } from '@plinth/testkit/system';

const PROBE = new URL('./memory-probe.mjs', import.meta.url).href;

export async function startProbedPlinth(services, { tools, environment = {} }) {
  let wanted = null;
  let text = '';
  const read = (output) => {
    text += output;
    const found = /^memory-probe (.*)\n/m.exec(text);
    if (!found) return;
    text = '';
    wanted?.(JSON.parse(found[1]));
  };
  const plinth = await startPlinth({
    topology: 'single',
    appUrl: services.appUrl,
    redisUrl: services.redisUrl,
    business: () => ({ key: 'bench', tools }),
    environment: { ...environment, NODE_ENV: 'production', NODE_OPTIONS: `--import=${PROBE}` },
    watch: (server) => {
      server.onOutput = read;
    },
  });
  return {
    plinth,
    /** Bytes, after the garbage was collected: `{ rss, heapUsed, external, arrayBuffers }`. */
    memory() {
      const answer = new Promise((resolve) => {
        wanted = resolve;
      });
      process.kill(plinth.servers[0].pid, 'SIGUSR2');
      return answer;
    },
  };
}
