import { contextConfig, type EndpointOverrides } from '@plinth/protocol';
import { type ModelLine, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../models/model-gateway.js';

/** Engine tests of pictures that go as addresses, and of endpoints that cannot fetch them. */

const PATIENT = { timeout: 30_000 };
const BY_ADDRESS: EndpointOverrides = { imageDelivery: 'url' };
const UNFETCHED = new ModelError('images_unfetched', false, 'It could not fetch an image.');
const TOO_LARGE = new ModelError('context_overflow', false, 'Too large.', {
  kind: 'body_bytes',
  limit: null,
  actual: null,
});

function engineWith(
  model: (body: string) => ModelLine,
  bodyBytes?: number,
  endpoint = BY_ADDRESS,
): TestEngine {
  const context = contextConfig.parse({ endpoint, ...(bodyBytes !== undefined && { bodyBytes }) });
  return startEngine({ model: ({ body }) => model(body), config: { context } });
}

function show(engine: TestEngine, widths: number[], threadId?: string) {
  const attachments = widths.map((width) => {
    const image = engine.images.add(engine.tenant, { width, height: width }, { title: `${width}.jpg` });
    return { uploadId: engine.attachments.upload(engine.tenant, engine.user, { ...image, kind: 'image' }) };
  });
  return engine.start('What is this?', { attachments, ...(threadId !== undefined && { threadId }) });
}

const addressesIn = (body: string) => [...body.matchAll(/"url":"(http[^"]*)"/g)].map(([, url]) => url);
const inlineIn = (body: string) => [...body.matchAll(/"url":"data:/g)].length;
const unlessInline = (body: string): ModelLine =>
  addressesIn(body).length > 0 ? { fails: UNFETCHED } : { text: 'Tea.' };

describe('pictures by address', PATIENT, () => {
  it('are the same addresses in every turn', async () => {
    const engine = engineWith(() => ({ text: 'Tea.' }));
    const { threadId } = await show(engine, [300, 301]);
    await engine.work();
    await engine.start('And?', { threadId });
    await engine.work();
    const [first, second] = engine.model.bodies.map(addressesIn);
    expect(first).toHaveLength(2);
    expect(second).toEqual(first);
    expect(engine.model.bodies.map(inlineIn)).toEqual([0, 0]);
  });

  it('that cannot be fetched are sent once more, inside the body, and stay there for the thread', async () => {
    const engine = engineWith(unlessInline);
    const { threadId, runId } = await show(engine, [300, 301]);
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    const after = await show(engine, [302], threadId);
    await engine.work();
    expect(await engine.view(after.runId)).toMatchObject({ status: 'completed' });
    expect(engine.model.bodies.map(inlineIn)).toEqual([0, 2, 3]);
    expect(engine.model.bodies.slice(1).map(addressesIn)).toEqual([[], []]);
    const [turn] = (await engine.record(runId)).turns;
    expect(turn?.context?.bytes).toBe(Buffer.byteLength(engine.model.bodies[1] ?? ''));
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('that have to go inside are brought within the account of bytes, and the person is told', async () => {
    const engine = engineWith(unlessInline, 600_000);
    const { runId, messageId } = await show(engine, [1500, 1501, 1502]);
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    const [asAddresses = '', inside = ''] = engine.model.bodies;
    expect(asAddresses.length).toBeLessThan(10_000);
    expect(inlineIn(inside)).toBe(3);
    expect(inside.length).toBeLessThan(600_000);
    const codes = (await engine.events(messageId)).flatMap((event) =>
      event.type === 'notice' ? [event.code] : [],
    );
    expect(codes).toEqual(['images_reduced']);
  });

  it('the request with the pictures inside is the last one, whatever it is refused for', async () => {
    for (const [second, reason, code] of [
      [UNFETCHED, 'model_error', 'model_images_unfetched'],
      [TOO_LARGE, 'context_unfit', 'context_overflow'],
    ] as const) {
      const engine = engineWith((body) => ({ fails: addressesIn(body).length > 0 ? UNFETCHED : second }));
      const { runId } = await show(engine, [300]);
      await engine.work();
      expect(await engine.view(runId)).toMatchObject({ status: 'failed', reason, error: { code } });
      expect(new Set(engine.model.bodies).size).toBe(2);
      expect(engine.model.bodies).toHaveLength(2);
      expect(await engine.brokenRules(runId)).toEqual([]);
    }
  });

  it('a refusal of that kind for a request without addresses ends the run at once', async () => {
    const engine = engineWith(() => ({ fails: UNFETCHED }), undefined, { imageDelivery: 'inline' });
    const { runId } = await show(engine, [300]);
    await engine.work();
    expect(engine.model.bodies).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({
      reason: 'model_error',
      error: { code: 'model_images_unfetched' },
    });
  });
});
