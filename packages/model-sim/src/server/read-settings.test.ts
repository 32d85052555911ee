import { expect, test } from 'vitest';
import { readSettings } from './read-settings.js';

test('without any variable the demo has a free port and a visible pace', () => {
  expect(readSettings({})).toEqual({
    port: 0,
    host: '127.0.0.1',
    latency: { firstTokenMs: 250, perChunkMs: 18 },
  });
});

test('every setting can be given', () => {
  const environment = {
    PORT: '4010',
    MODEL_SIM_HOST: '::1',
    MODEL_SIM_FIRST_TOKEN_MS: '0',
    MODEL_SIM_CHUNK_MS: '1',
    MODEL_SIM_PERSONA: 'strict-gateway',
    MODEL_SIM_FETCH_IMAGES: '1',
  };
  expect(readSettings(environment)).toEqual({
    port: 4010,
    host: '::1',
    latency: { firstTokenMs: 0, perChunkMs: 1 },
    persona: 'strict-gateway',
    fetchImages: true,
  });
});

test('a value that is no number is refused by name', () => {
  expect(() => readSettings({ MODEL_SIM_CHUNK_MS: 'fast' })).toThrow(/MODEL_SIM_CHUNK_MS/);
});

test('a persona that nobody knows is refused, naming those there are', () => {
  expect(() => readSettings({ MODEL_SIM_PERSONA: 'hal' })).toThrow(/MODEL_SIM_PERSONA must be one of openai/);
});
