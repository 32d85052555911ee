import { PERSONA_SETTINGS, type PersonaSetting } from '../personas/choose-persona.js';
import type { Latency } from './send-completion.js';

/** Quick enough to be pleasant, slow enough that one sees the answer stream. */
const DEMO_LATENCY: Latency = { firstTokenMs: 250, perChunkMs: 18 };

export type Settings = {
  port: number;
  host: string;
  latency: Latency;
  persona?: PersonaSetting;
  fetchImages?: boolean;
};

/** Reads the settings of the stand-alone simulator. Throws, naming the variable, when a value is none of its kind. */
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
    ...personaOf(environment.MODEL_SIM_PERSONA),
    ...(environment.MODEL_SIM_FETCH_IMAGES === '1' ? { fetchImages: true } : {}),
  };
}

function personaOf(text: string | undefined): { persona?: PersonaSetting } {
  if (text === undefined || text === '') return {};
  const persona = PERSONA_SETTINGS.find((name) => name === text);
  if (persona === undefined)
    throw new Error(`MODEL_SIM_PERSONA must be one of ${PERSONA_SETTINGS.join(', ')}, not "${text}"`);
  return { persona };
}
