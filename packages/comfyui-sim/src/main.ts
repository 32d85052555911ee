#!/usr/bin/env node
import { startComfyUiSim } from './server/start-comfyui-sim.js';

/** Quick enough for a demo, slow enough that one sees the progress. */
const DEMO_STEP_MS = 150;

function wholeNumber(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0)
    throw new Error(`${name} must be a whole number of at least 0, not "${text}"`);
  return value;
}

const port = wholeNumber('PORT', 8188);
const simulator = await startComfyUiSim({
  port,
  host: process.env.COMFYUI_SIM_HOST || '127.0.0.1',
  stepMs: wholeNumber('COMFYUI_SIM_STEP_MS', DEMO_STEP_MS),
}).catch((error: Error) => {
  console.error(`ComfyUI stand-in: cannot listen on port ${port}: ${error.message}`);
  process.exit(1);
});
console.log(`Plinth's stand-in for ComfyUI: ${simulator.url}`);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void simulator.close());
}
