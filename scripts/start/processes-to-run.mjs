/**
 * Which processes make up this run and what each is told. Each gets only what it needs: the admin's database
 * URL reaches none of them, and the sample business has no secret but its own API key.
 */
import { root } from '../lib/paths.mjs';

const PRIVATE = [
  'DATABASE_URL',
  'DATABASE_APP_URL',
  'REDIS_URL',
  'PLINTH_SECRET',
  'PLINTH_PREVIOUS_SECRET',
  'PLINTH_DEMO_API_KEY',
  'OPENAI_API_KEY',
];

/** In the order of starting; they are stopped in the opposite order. */
export function processesToRun({ options, env, ports, urls, secrets }) {
  const base = Object.fromEntries(Object.entries(env).filter(([name]) => !PRIVATE.includes(name)));
  const node = (name, script, own, health) => ({
    name,
    file: process.execPath,
    args: ['--enable-source-maps', script],
    cwd: root,
    env: { ...base, ...own },
    health: `http://127.0.0.1:${own.PORT}${health}`,
  });
  const playgroundUrl = `http://127.0.0.1:${ports.playground}`;
  const model = options.usesSimulator
    ? { OPENAI_BASE_URL: `http://127.0.0.1:${ports.simulator}/v1`, OPENAI_API_KEY: 'simulated' }
    : { OPENAI_BASE_URL: env.OPENAI_BASE_URL, OPENAI_API_KEY: env.OPENAI_API_KEY };
  const server = (name, role, port) =>
    node(
      name,
      'apps/server/dist/main.js',
      {
        ...model,
        DATABASE_APP_URL: urls.app,
        REDIS_URL: urls.redis,
        PORT: String(port),
        PLINTH_ROLE: role,
        PLINTH_DATA_DIR: options.dataDir,
        PLINTH_SECRET: secrets.masterSecret,
        PLINTH_PREVIOUS_SECRET: env.PLINTH_PREVIOUS_SECRET ?? '',
        PLINTH_PUBLIC_URL: publicUrl({ options, env }),
        PLAYGROUND_URL: playgroundUrl,
        // The sample's job service and ComfyUI host are on this machine: its tenant may allow itself these two.
        PLINTH_OUTBOUND_TENANT_ALLOW: [
          env.PLINTH_OUTBOUND_TENANT_ALLOW,
          new URL(jobsUrl({ env, ports })).host,
          new URL(comfyuiUrl({ env, ports })).host,
        ]
          .filter(Boolean)
          .join(','),
      },
      '/readyz',
    );

  const list = [];
  if (options.usesSimulator) {
    list.push(
      node('model-sim', 'packages/model-sim/dist/main.js', { PORT: String(ports.simulator) }, '/healthz'),
    );
  }
  if (options.usesComfyUiSim) {
    const told = { PORT: String(ports.comfyui) };
    list.push(node('comfyui-sim', 'packages/comfyui-sim/dist/main.js', told, '/healthz'));
  }
  if (options.servesHttp) {
    const told = {
      PORT: String(ports.playground),
      PLINTH_URL: `http://127.0.0.1:${options.port}`,
      PLINTH_PUBLIC_URL: publicUrl({ options, env }),
      PLINTH_API_KEY: secrets.demoApiKey,
      // A sample for developers: what the model was sent is what they want to see.
      PLAYGROUND_INSPECTOR: env.PLAYGROUND_INSPECTOR || 'on',
    };
    list.push(node('playground', 'apps/playground/dist/server/main.js', told, '/healthz'));
  }
  if (options.role === 'split') {
    list.push(server('worker', 'worker', ports.worker), server('api', 'api', options.port));
  } else if (options.role === 'worker') {
    list.push(server('worker', 'worker', env.PORT ? options.port : ports.worker));
  } else {
    list.push(server(options.role === 'api' ? 'api' : 'server', options.role, options.port));
  }
  return list;
}

/** Where the sample business's job service is reached from the server. */
export function jobsUrl({ env, ports }) {
  return env.PLAYGROUND_JOBS_URL || `http://127.0.0.1:${ports.playground}`;
}

/** Where its ComfyUI host is: the stand-in, unless another one is named. */
export function comfyuiUrl({ env, ports }) {
  return env.COMFYUI_URL || `http://127.0.0.1:${ports.comfyui}`;
}

export function publicUrl({ options, env }) {
  return env.PLINTH_PUBLIC_URL || `http://localhost:${options.port}`;
}
