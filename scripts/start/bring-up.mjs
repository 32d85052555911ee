/** Starts the services, brings the database up to date, and runs the processes until someone stops them. */
import { ensureAppUrl } from '../database/app-url.mjs';
import { applyMigrations } from '../database/apply-migrations.mjs';
import { internalPorts } from './internal-ports.mjs';
import { processesToRun, publicUrl } from './processes-to-run.mjs';
import { seed } from './seed.mjs';
import { startServices } from './services.mjs';
import { supervise } from './supervise.mjs';
import { untilHealthy } from './until-healthy.mjs';

export async function bringUp({ options, env, secrets, lock, progress, shutdown }) {
  const services = await progress.step('Postgres and Redis', (log) => {
    const starting = startServices({ dataDir: options.dataDir, env, log });
    // Added before they are up, so that a Ctrl-C meanwhile leaves none behind.
    shutdown.add(async () => (await starting.catch(() => undefined))?.stop());
    return starting;
  });
  const urls = { admin: services.databaseUrl, redis: services.redisUrl, app: undefined };
  services.lost.then((name) => {
    if (!shutdown.signal.aborted)
      shutdown.giveUp(`${name} ended by itself; its log is in ${options.dataDir}.`);
  });

  await progress.step('Database', async (log) => {
    urls.app = await ensureAppUrl({ adminUrl: urls.admin, readSecrets: () => secrets, env });
    await applyMigrations({ adminUrl: urls.admin, log });
  });
  const ports = await internalPorts(options.dataDir, ['playground', 'simulator', 'worker', 'comfyui']);
  if (options.servesHttp) await progress.step('Sample business', () => seed({ urls, ports, secrets, env }));
  shutdown.signal.throwIfAborted();

  const processes = processesToRun({ options, env, ports, urls, secrets });
  await progress.step('Processes', () => runProcesses(processes, { lock, shutdown }));
  greet({ options, env, progress });
}

async function runProcesses(processes, { lock, shutdown }) {
  const children = [];
  const recordChildren = () => lock.recordChildren(children.map((child) => child.pid()).filter(Boolean));
  for (const what of processes) {
    const child = supervise(what, {
      onChange: () => queueMicrotask(recordChildren),
      onGiveUp: (message) => shutdown.giveUp(message),
      log: (line) => console.log(`! ${line}`),
    });
    children.push(child);
    shutdown.add(() => child.stop());
  }
  await Promise.all(processes.map((what) => untilHealthy(what, { signal: shutdown.signal })));
}

function greet({ options, env, progress }) {
  const url = publicUrl({ options, env });
  console.log(
    `\nPlinth is running ${progress.total()}. Ctrl-C stops it; the data stays in ${options.dataDir}.`,
  );
  if (options.servesHttp) {
    console.log(`  Poster studio   ${url}/playground/`);
    console.log(`  API             ${url}/docs`);
  }
  if (options.usesSimulator) {
    console.log(
      '  The model is simulated. Set OPENAI_API_KEY (and OPENAI_BASE_URL, PLINTH_MODEL) for a real one.',
    );
  }
  if (options.usesComfyUiSim) {
    console.log('  The ComfyUI host is a stand-in. Set COMFYUI_URL for a real one.');
  }
  console.log('');
}
