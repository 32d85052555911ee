/**
 * What the environment asks `npm start` to do.
 *
 * PLINTH_ROLE says which processes run here: `all` (one process for everything), `split` (an api and a worker
 * process), `api` or `worker` (one half of an installation whose other half runs elsewhere).
 */
import { dataDirectory } from '../lib/paths.mjs';
import { SetupProblem } from '../lib/problem.mjs';

const ROLES = ['all', 'split', 'api', 'worker'];
const DEFAULT_PORT = 3000;

export function readOptions(env) {
  const role = env.PLINTH_ROLE || 'all';
  if (!ROLES.includes(role)) {
    throw new SetupProblem(`PLINTH_ROLE must be one of ${ROLES.join(', ')}; it is "${role}".`);
  }
  const isHalf = role === 'api' || role === 'worker';
  if (isHalf && !(env.DATABASE_URL && env.REDIS_URL && env.PLINTH_SECRET)) {
    throw new SetupProblem(
      `PLINTH_ROLE=${role} is one half of an installation. Set what it shares with the other half:\n` +
        '  DATABASE_URL, REDIS_URL and PLINTH_SECRET (the same everywhere, 32 random bytes as base64url).\n' +
        '  To run both halves on this machine: PLINTH_ROLE=split npm start',
    );
  }
  return {
    role,
    port: readPort(env.PORT),
    dataDir: dataDirectory(env),
    servesHttp: role !== 'worker',
    runsWorker: role !== 'api',
    usesComfyUiSim: role !== 'worker' && !env.COMFYUI_URL,
    usesSimulator: role !== 'api' && !env.OPENAI_API_KEY && !env.OPENAI_BASE_URL,
  };
}

function readPort(text) {
  const port = text ? Number(text) : DEFAULT_PORT;
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SetupProblem(`PORT must be a whole number from 1 to 65535; it is "${text}".`);
}
