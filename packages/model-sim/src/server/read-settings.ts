import type { Latency } from './send-completion.js';

/** Quick enough to be pleasant, slow enough that one sees the answer stream. */
const DEMO_LATENCY: Latency = { firstTokenMs: 250, perChunkMs: 18 };

export type Settings = { port: number; host: string; latency: Latency };

/** Reads the settings of the stand-alone simulator. Throws, naming the variable, when a number is none. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const number = (name: string, fallback: number): number => {
    const text = environment[name];
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (!Number.isInteger(value) || value < 0)
      throw new Error(`${name} must be a whole number of at least 0, not "${text}"`);
    return value;
  };
  return {
    port: number('PORT', 0),
    host: environment.MODEL_SIM_HOST || '127.0.0.1',
    latency: {
      firstTokenMs: number('MODEL_SIM_FIRST_TOKEN_MS', DEMO_LATENCY.firstTokenMs),
      perChunkMs: number('MODEL_SIM_CHUNK_MS', DEMO_LATENCY.perChunkMs),
    },
  };
}
