#!/usr/bin/env node
import { readSettings } from './server/read-settings.js';
import { startModelSim } from './server/start-model-sim.js';

/** A demo runs for days and nobody reads its requests; the last few are enough for a debugger. */
const KEPT_REQUESTS = 20;
const STOP_GRACE_MS = 2000;

const settings = readSettings(process.env);
const simulator = await startModelSim({ ...settings, keepRequests: KEPT_REQUESTS }).catch((error: Error) => {
  console.error(`model simulator: cannot listen on ${settings.host}:${settings.port}: ${error.message}`);
  process.exit(1);
});
console.log(`Plinth model simulator: ${simulator.url}`);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void simulator.close(STOP_GRACE_MS));
}
