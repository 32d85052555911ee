import { expect, test } from 'vitest';
import { readOptions } from './options.mjs';

test('without settings: one process for everything on port 3000, with a simulated model', () => {
  expect(readOptions({})).toMatchObject({ role: 'all', port: 3000, servesHttp: true, usesSimulator: true });
});

test.each([{ OPENAI_API_KEY: 'key' }, { OPENAI_BASE_URL: 'http://model' }])(
  'a real model is used when %o is set',
  (env) => {
    expect(readOptions(env).usesSimulator).toBe(false);
  },
);

test('half an installation needs to know what it shares with the other half', () => {
  expect(() => readOptions({ PLINTH_ROLE: 'worker' })).toThrow(/DATABASE_URL, REDIS_URL and PLINTH_SECRET/);

  const shared = { DATABASE_URL: 'postgresql://db', REDIS_URL: 'redis://cache', PLINTH_SECRET: 'secret' };
  expect(readOptions({ ...shared, PLINTH_ROLE: 'worker' })).toMatchObject({
    servesHttp: false,
    runsWorker: true,
  });
});

test.each(['0', '70000', 'http', '3000.5'])('a port of "%s" is refused', (PORT) => {
  expect(() => readOptions({ PORT })).toThrow(/PORT must be a whole number/);
});

test('an unknown role is refused with the ones there are', () => {
  expect(() => readOptions({ PLINTH_ROLE: 'both' })).toThrow(/all, split, api, worker/);
});

test('a stand-in for ComfyUI is started beside the sample business, unless a host is named', () => {
  expect(readOptions({}).usesComfyUiSim).toBe(true);
  expect(readOptions({ COMFYUI_URL: 'http://gpu:8188' }).usesComfyUiSim).toBe(false);
  const shared = { DATABASE_URL: 'postgresql://db', REDIS_URL: 'redis://cache', PLINTH_SECRET: 'secret' };
  expect(readOptions({ ...shared, PLINTH_ROLE: 'worker' }).usesComfyUiSim).toBe(false);
});
