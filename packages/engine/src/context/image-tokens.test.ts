import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpointProfile } from './endpoint-profiles.js';
import { claudeTokens, geminiTokens, mostTokens, patchTokens, tileTokens } from './image-tokens.js';

const side = fc.integer({ min: 1, max: 9_000 });

/** As Anthropic says it now: into the size that the model looks at, then a token for each patch of 28 that was begun. */
function byPatches(longest: number, most: number) {
  return (width: number, height: number) => {
    const scale = Math.min(1, longest / Math.max(width, height));
    return Math.min(most, Math.ceil((width * scale) / 28) * Math.ceil((height * scale) / 28));
  };
}

/** As it said before: into the longest side, then the area, of which no more than so many tokens are looked at. */
function byArea(longest: number, most: number) {
  return (width: number, height: number) => {
    const scale = Math.min(1, longest / Math.max(width, height));
    return Math.min(most, Math.ceil((width * height * scale * scale) / 750));
  };
}

describe('tokens of a picture', () => {
  test.each([
    ['patches, models before Opus 4.7', byPatches(1568, 1568)],
    ['patches, models since Opus 4.7', byPatches(2576, 4784)],
    ['patches, as far as the longer side goes', byPatches(1568, Number.POSITIVE_INFINITY)],
    ['area, models before Opus 4.7', byArea(1568, 1600)],
    ['area, models since Opus 4.7', byArea(2576, 4784)],
  ])('Claude counts no more than is planned: %s', (_name, counted) => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        expect(claudeTokens(width, height)).toBeGreaterThanOrEqual(counted(width, height));
      }),
      {
        examples: [
          [280, 29],
          [1568, 1568],
          [1092, 1092],
          [2576, 1456],
          [9_000, 1],
        ],
      },
    );
  });

  test('a strip of a few pixels costs a patch for each that it begins', () => {
    expect(claudeTokens(280, 29)).toBe(20);
    expect(claudeTokens(1568, 1)).toBe(56);
  });

  test('OpenAI counts tiles of 512, after the picture was made smaller', () => {
    expect(tileTokens(85, 170)(1024, 1024)).toBe(765);
    expect(tileTokens(85, 170)(2048, 4096)).toBe(1105);
    expect(tileTokens(85, 170)(100, 100)).toBe(255);
  });

  test('OpenAI counts patches of 32, no more than the model looks at', () => {
    expect(patchTokens(1)(1024, 1024)).toBe(1024);
    expect(patchTokens(1.62)(4_000, 1_474)).toBe(Math.ceil(1536 * 1.62));
    expect(endpointProfile('gpt-5.4').imageTokens(2048, 2048)).toBe(3_000);
    expect(endpointProfile('gpt-5').imageTokens(33, 32)).toBe(210);
  });

  test('Gemini counts the larger of what its generations count', () => {
    expect(geminiTokens(300, 300)).toBe(1_120);
    expect(geminiTokens(960, 540)).toBe(258 * 6);
  });

  test('for a model that nobody knows the most is planned', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        for (const model of ['gpt-4o', 'gpt-5.4', 'o4-mini', 'claude-opus-4-7'])
          expect(mostTokens(width, height)).toBeGreaterThanOrEqual(
            endpointProfile(model).imageTokens(width, height),
          );
      }),
    );
  });
});

test.each([
  ['openai/gpt-5-chat-latest', 'gpt-5-chat'],
  ['gpt-5.1-codex', 'gpt-5'],
  ['azure/gpt-5.4-mini', 'gpt-5-mini'],
  ['o3-mini', 'o-series'],
  ['o1-mini', 'careful'],
  ['anthropic.claude-sonnet-4-5', 'claude'],
  ['google/gemini-3-pro-preview', 'gemini'],
  ['qwen3-max', 'careful'],
])('%s has the walls of %s', (model, profile) => {
  expect(endpointProfile(model).name).toBe(profile);
});
