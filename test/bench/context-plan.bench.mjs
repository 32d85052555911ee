/**
 * What it costs to plan a request: a conversation of 400 messages, one user message and one answer with a call and its
 * result in turn. CPU time of the process, so that a busy machine says the same. `cold`: texts that were never seen, as after
 * a start; `warm`: the same conversation a turn later. `counted`: so near to the window that every text has to be counted;
 * the other rows are proved to fit by their bytes. `compacting`: the plan that takes something out.
 */
import { contextPolicy, KnownPictures, loadTokenCounter, NO_CUT, planContext } from '@plinth/engine';
import { DEFAULT_TENANT_CONFIG } from '@plinth/protocol';

const MESSAGES = 400;
const SAMPLES = Number(process.env.PLINTH_BENCH_PLANS ?? 100);
const COLD_SAMPLES = 20;
const FIXED = {
  head: '{"model":"m","messages":[',
  system: JSON.stringify({ role: 'system', content: 'You make posters for tea shops.' }),
  announcement: null,
  tools: '',
  tail: '"stream":true}',
};
const IMAGE_BYTES = 400_000;

const picture = (n, seed) => ({
  sha256: `${seed}-${n}`,
  storageKey: `${seed}-${n}`,
  artifactId: `art_${n}`,
  title: `photo-${n}.jpg`,
  mimeType: 'image/jpeg',
  sizeBytes: IMAGE_BYTES,
});

function conversation(seed, images) {
  const sentence = (n) =>
    `Order ${seed * 7919 + n} came to the office in Berlin with the evening train, and was paid. `;
  const messages = [];
  for (let n = 0; messages.length < MESSAGES - 1; n += 1) {
    const asked = sentence(n).repeat(3);
    const content =
      n < images
        ? [
            { type: 'text', text: asked },
            { type: 'image', image: picture(n, seed) },
          ]
        : asked;
    const call = { id: `c${n}`, type: 'function', function: { name: 'look', arguments: '{"at":1}' } };
    messages.push(
      JSON.stringify({ role: 'user', content }),
      JSON.stringify({ role: 'assistant', content: null, tool_calls: [call] }),
      JSON.stringify({
        role: 'tool',
        tool_call_id: `c${n}`,
        content: JSON.stringify({ result: sentence(n).repeat(8) }),
      }),
      JSON.stringify({ role: 'assistant', content: sentence(n).repeat(5) }),
    );
  }
  return [...messages.slice(0, MESSAGES - 1), JSON.stringify({ role: 'user', content: 'And now?' })];
}

const policyOf = (windowTokens) =>
  contextPolicy(
    {
      model: { ...DEFAULT_TENANT_CONFIG.model, name: 'm' },
      context: {
        ...DEFAULT_TENANT_CONFIG.context,
        endpoint: { windowTokens, maxImages: 50 },
        summary: { ...DEFAULT_TENANT_CONFIG.context.summary, enabled: false },
      },
    },
    {},
  );

function knownOf(images, seed) {
  const known = new KnownPictures();
  for (let n = 0; n < images; n += 1) {
    const { sha256 } = picture(n, seed);
    const variant = {
      sha256,
      step: 0,
      mimeType: 'image/jpeg',
      width: 1500,
      height: 1000,
      sizeBytes: IMAGE_BYTES,
      storageKey: sha256,
    };
    known.add(sha256, 0, { variant, url: null });
  }
  return known;
}

function cpuMs(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function plan(messages, policy, known) {
  const planned = planContext({ fixed: FIXED, messages, cut: NO_CUT, policy, known, calibration: 1 });
  if (planned.kind !== 'fits') throw new Error(`the plan is ${planned.kind}`);
}

function row(name, { windowTokens, images = 0, warm }) {
  const policy = policyOf(windowTokens);
  const count = warm ? SAMPLES : COLD_SAMPLES;
  const samples = Array.from({ length: count }, (_, n) => {
    const seed = warm ? 1 : n + 2;
    const messages = conversation(seed, images);
    const known = knownOf(images, seed);
    if (warm) plan(messages, policy, known);
    return cpuMs(() => plan(messages, policy, known));
  });
  return { name, unit: 'CPU ms', samples };
}

const ROOMY = 1_000_000;
const NEAR = 110_000;
const TIGHT = 40_000;

export default async function measure() {
  loadTokenCounter();
  plan(conversation(0, 0), policyOf(NEAR), new KnownPictures());
  return [
    row('400 messages, far from every wall, warm', { windowTokens: ROOMY, warm: true }),
    row('400 messages, far from every wall, cold', { windowTokens: ROOMY, warm: false }),
    row('400 messages with 20 images, warm', { windowTokens: ROOMY, images: 20, warm: true }),
    row('400 messages, counted, warm', { windowTokens: NEAR, warm: true }),
    row('400 messages, counted, cold', { windowTokens: NEAR, warm: false }),
    row('400 messages, compacting, warm', { windowTokens: TIGHT, warm: true }),
  ];
}
