/** Compiles all packages with TypeScript's build mode, which skips by itself what did not change. */
import { SetupProblem } from '../lib/problem.mjs';
import { run } from '../lib/run.mjs';

export async function compile() {
  const { code, output } = await run('tsc', ['-b', '--pretty', 'false']);
  if (code !== 0) throw new SetupProblem(`The sources do not compile:\n${output.trim()}`);
}
