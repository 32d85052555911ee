/**
 * Loaded into a server process by `--import`: on SIGUSR2 it collects the garbage and writes one line that says what is
 * left. The program itself knows nothing of it.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// NODE_OPTIONS refuses --expose-gc in some of the supported versions.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', async () => {
  // What one collection frees may let go of more; buffers are given back a moment later.
  for (let i = 0; i < 3; i += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  process.stdout.write(`memory-probe ${JSON.stringify(process.memoryUsage())}\n`);
});
