import { expect, test } from 'vitest';
import { choosePersona, type PersonaSetting } from './choose-persona.js';

const windowOf = (model: unknown, setting?: Parameters<typeof choosePersona>[1]) =>
  choosePersona(model, setting)?.walls.windowTokens;

test('without a setting nobody is played, but for a model that asks for it by name', () => {
  expect(windowOf('gpt-4o')).toBeUndefined();
  expect(windowOf(undefined)).toBeUndefined();
  expect(windowOf('anthropic/anything')).toBe(200_000);
  expect(windowOf('anthropic')).toBeUndefined();
  expect(windowOf('constructor/x')).toBeUndefined();
});

test('the name of a model wins over the setting', () => {
  expect(windowOf('gemini/x', 'anthropic')).toBe(1_048_576);
  expect(windowOf('x', 'anthropic')).toBe(200_000);
});

test('by model, each family plays its own', () => {
  expect(windowOf('claude-sonnet-4-5', 'by-model')).toBe(200_000);
  expect(windowOf('gemini-2.5-pro', 'by-model')).toBe(1_048_576);
  expect(windowOf('gpt-4o', 'by-model')).toBe(128_000);
  expect(windowOf('plinth-sim', 'by-model')).toBeUndefined();
});

test('a wall may stand elsewhere than it is published', () => {
  expect(choosePersona('x', 'strict-gateway', { bodyBytes: 1 })?.refuseBody(2)).toBeDefined();
  expect(choosePersona('x', 'anthropic', { windowTokens: 1 })?.walls).toMatchObject({
    windowTokens: 1,
    maxImages: 100,
  });
});

test('the walls are the published ones', () => {
  const MIB = 1024 * 1024;
  const walls = (name: PersonaSetting) => choosePersona('x', name)?.walls;
  expect(walls('openai')).toMatchObject({ maxImages: 500, imageBytes: 20 * MIB, imagesTotalBytes: 50 * MIB });
  expect(walls('anthropic')).toMatchObject({ bodyBytes: 32_000_000, imageBytes: 5 * MIB, imageSide: 8000 });
  expect(walls('gemini')).toMatchObject({ bodyBytes: 20 * MIB, maxImages: 3600 });
  expect(walls('strict-gateway')).toMatchObject({ bodyBytes: 30 * MIB, windowTokens: 128_000 });
  expect(walls('strict-gateway-json')).toMatchObject({ bodyBytes: 30 * MIB });
});
