import { type ContextConfig, contextConfig, DEFAULT_TENANT_CONFIG } from '@plinth/protocol';
import fc from 'fast-check';
import { type ContextCut, NO_CUT } from '../src/context/context-cut.js';
import { contextPolicy } from '../src/context/context-policy.js';
import { requestText } from '../src/context/fill-request.js';
import type { FixedInputs } from '../src/context/fixed-inputs.js';
import type { KnownPictures } from '../src/context/known-pictures.js';
import {
  type ContextPlan,
  type FittingPlan,
  type PlanInput,
  planContext,
} from '../src/context/plan-context.js';
import { boundedSummary } from '../src/context/summary-material.js';
import type { ImageRef, ImageStep } from '../src/images/image-ref.js';

/** Conversations of every shape, and what a run does with their plans, on pictures that exist as sizes alone. */

export const FIXED: FixedInputs = {
  head: '{"model":"m","messages":[',
  system: '{"role":"system","content":"You make posters for tea shops."}',
  announcement: '{"role":"system","content":"Turn 4 of 5."}',
  tools: '"tools":[{"type":"function","function":{"name":"look","parameters":{}}}],"tool_choice":"auto",',
  tail: '"stream":true}',
};

export const aPicture = (name: string, sizeBytes: number): ImageRef => ({
  sha256: name,
  storageKey: `originals/${name}`,
  artifactId: `art_${name}` as ImageRef['artifactId'],
  title: `${name}.jpg`,
  mimeType: 'image/jpeg',
  sizeBytes,
});

/** Hash that no pipeline can show. */
export const BROKEN = 'broken';
const PICTURES = [
  aPicture('tiny', 4_000),
  aPicture('small', 90_000),
  aPicture('photo', 700_000),
  aPicture('scan', 2_500_000),
  aPicture('poster', 8_000_000),
  aPicture(BROKEN, 50_000),
];

const words = (count: number, seed: number) =>
  Array.from(
    { length: count },
    (_, n) => ['green', 'tea', '秋季', 'poster', '"quoted"', 'A4\n', '😀'][(n * 7 + seed) % 7],
  ).join(' ');
const text = fc
  .tuple(fc.oneof(fc.nat(40), fc.nat(800)), fc.nat(6))
  .map(([count, seed]) => words(count, seed));
const picture = fc.constantFrom(...PICTURES);

const resultText = fc.tuple(text, fc.nat(3)).map(([said, form]) => {
  if (form === 0) return said === '' ? 'nothing' : said;
  if (form === 1) return JSON.stringify({ result: { said } });
  if (form === 2)
    return JSON.stringify({
      about: 'This is a summary; the full result is artifact art_9, read it with `get_artifact`.',
      summary: 'Ten orders.',
      result: said,
    });
  return JSON.stringify({ status: 'failed', error: { code: 'remote_error', message: said } });
});

interface RandomAnswer {
  said: string;
  results: string[];
  pictures: readonly ImageRef[];
}

const answer = fc.record({
  said: text,
  results: fc.array(resultText, { maxLength: 4 }),
  pictures: fc.oneof(fc.constant([]), fc.array(picture, { maxLength: 2 })),
});

export function answerMessages({ said, results, pictures }: RandomAnswer, id: string): string[] {
  const calls = results.map((_, n) => ({
    id: `${id}_${n}`,
    type: 'function',
    function: { name: 'look', arguments: '{"at":1}' },
  }));
  return [
    JSON.stringify({ role: 'assistant', content: said, ...(calls.length > 0 && { tool_calls: calls }) }),
    ...results.map((content, n) => JSON.stringify({ role: 'tool', tool_call_id: `${id}_${n}`, content })),
    ...(pictures.length > 0 && results.length > 0
      ? [JSON.stringify({ role: 'images', images: pictures })]
      : []),
  ];
}

export function userMessage(said: string, pictures: readonly ImageRef[]): string {
  if (pictures.length === 0) return JSON.stringify({ role: 'user', content: said });
  const content = [{ type: 'text', text: said }, ...pictures.map((image) => ({ type: 'image', image }))];
  return JSON.stringify({ role: 'user', content });
}

const exchange = (answers: fc.Arbitrary<RandomAnswer[]>) =>
  fc.record({
    asked: text,
    pictures: fc.oneof(fc.constant([]), fc.array(picture, { maxLength: 3 })),
    answers,
  });

/** Provider messages of former exchanges, each complete, and of one that is under way. */
export const conversation: fc.Arbitrary<string[]> = fc
  .tuple(
    fc.array(exchange(fc.array(answer, { minLength: 1, maxLength: 3 })), { maxLength: 6 }),
    exchange(fc.array(answer, { maxLength: 3 })),
  )
  .map(([former, current]) =>
    [...former, current].flatMap(({ asked, pictures, answers }, place) => [
      userMessage(asked, pictures),
      ...answers.flatMap((one, n) => answerMessages(one, `c${place}_${n}`)),
    ]),
  );

const context: fc.Arbitrary<ContextConfig> = fc
  .record({
    compactAt: fc.constantFrom(0.5, 0.85, 0.95),
    compactTo: fc.constantFrom(0.1, 0.6, 0.9),
    enabled: fc.boolean(),
    windowTokens: fc.integer({ min: 1_000, max: 12_000 }),
    bodyBytes: fc.integer({ min: 65_536, max: 3_000_000 }),
    maxImages: fc.nat(6),
    imagesTotalBytes: fc.option(fc.integer({ min: 1_024, max: 1_000_000 }), { nil: undefined }),
    imageBytes: fc.integer({ min: 20_000, max: 3_000_000 }),
  })
  .map(({ compactAt, compactTo, enabled, imagesTotalBytes, ...endpoint }) =>
    contextConfig.parse({
      compactAt,
      compactTo,
      summary: { enabled, maxTokens: 200, maxInputTokens: 1_000 },
      endpoint: { ...endpoint, ...(imagesTotalBytes !== undefined && { imagesTotalBytes }) },
    }),
  );

/** A model whose pictures fit into these windows: of one that nobody knows each counts for tens of thousands of tokens. */
export const policyOf = (settings: ContextConfig, cut: ContextCut = NO_CUT) =>
  contextPolicy(
    { model: { ...DEFAULT_TENANT_CONFIG.model, name: 'gpt-4o', maxOutputTokens: 200 }, context: settings },
    cut.learned,
  );

export const policy = context.map((settings) => policyOf(settings));

/** The pipeline's answer, as a rule: half the bytes a rung, within the wall of one picture. */
export function addSize(known: KnownPictures, image: ImageRef, step: ImageStep, imageBytes: number): void {
  if (image.sha256 === BROKEN) {
    known.add(image.sha256, step, { sha256: image.sha256, unreadable: 'It is damaged.' });
    return;
  }
  const side = Math.max(16, Math.floor(1_500 / 1.5 ** step));
  const sizeBytes = Math.floor(Math.min(image.sizeBytes, imageBytes) / 1.9 ** step);
  const variant = {
    sha256: image.sha256,
    step,
    mimeType: 'image/jpeg' as const,
    width: side,
    height: side,
    sizeBytes,
    storageKey: `variants/${image.sha256}/${step}`,
  };
  known.add(image.sha256, step, { variant, url: null });
}

export interface Settled {
  plan: Exclude<ContextPlan, { kind: 'needs_variants' | 'needs_summary' }>;
  /** Plans that it took. */
  rounds: number;
  materials: string[];
}

/** Goes on as a run does, until there is a request or none. */
export function settle(input: PlanInput): Settled {
  let { cut } = input;
  const materials: string[] = [];
  for (let rounds = 1; ; rounds += 1) {
    const plan = planContext({ ...input, cut });
    if (plan.kind === 'needs_variants') {
      for (const { image, step } of plan.wanted)
        addSize(input.known, image, step, input.policy.profile.imageBytes);
    } else if (plan.kind === 'needs_summary') {
      materials.push(plan.material);
      cut = { ...plan.cut, summary: boundedSummary(words(2_000, 1), input.policy.summary.maxTokens) };
    } else return { plan, rounds, materials };
  }
}

/** The body, with nothing but zeros for pictures. */
export function bodyOf({ draft }: FittingPlan): string {
  const messages = draft.messages.map(({ pieces, pictures }) =>
    pieces
      .map((piece, n) => `${piece}${'A'.repeat(4 * Math.ceil((pictures[n]?.size.sizeBytes ?? 0) / 3))}`)
      .join(''),
  );
  return requestText(FIXED, messages);
}
