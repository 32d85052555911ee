/** Puts the sample business into the database: a tenant, its key, its agent and tools. Does no harm twice. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { SetupProblem } from '../lib/problem.mjs';
import { run } from '../lib/run.mjs';
import { comfyuiUrl, jobsUrl } from './processes-to-run.mjs';

const SCRIPT = 'apps/server/dist/seed.js';
const SAMPLE = 'apps/playground/plinth';

export async function seed({ urls, ports, secrets, env }) {
  if (!existsSync(join(root, SCRIPT)))
    throw new SetupProblem(`${SCRIPT} is missing: the build did not make it.`);
  const jobs = jobsUrl({ env, ports });
  const comfyui = comfyuiUrl({ env, ports });
  const { code, output } = await run(process.execPath, ['--enable-source-maps', SCRIPT, SAMPLE], {
    env: {
      DATABASE_ADMIN_URL: urls.admin,
      DATABASE_APP_URL: urls.app,
      REDIS_URL: urls.redis,
      PLINTH_DEMO_API_KEY: secrets.demoApiKey,
      PLINTH_SECRET: secrets.masterSecret,
      PLAYGROUND_JOBS_URL: jobs,
      PLAYGROUND_JOBS_HOST: new URL(jobs).host,
      COMFYUI_URL: comfyui,
      COMFYUI_HOST: new URL(comfyui).host,
    },
  });
  if (code !== 0)
    throw new SetupProblem(`The sample business could not be put into the database:\n${output.trim()}`);
}
