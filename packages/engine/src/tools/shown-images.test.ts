import type { RunId } from '@plinth/protocol';
import { aRemoteTool, aServerTool, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { ImageRef } from '../images/image-ref.js';
import type { StoredFile } from '../runs/run.js';

const poster: StoredFile = {
  title: 'poster.png',
  kind: 'image',
  mimeType: 'image/png',
  storageKey: 'ten_acme/aa',
  sizeBytes: 7,
  sha256: 'aa',
};
const sound: StoredFile = {
  ...poster,
  title: 'jingle.mp3',
  kind: 'audio',
  mimeType: 'audio/mpeg',
  sha256: 'bb',
};

function drawing(images?: 'show' | 'reference') {
  const engine = startEngine({
    tools: [aServerTool('draw', images === undefined ? {} : { result: { images } })],
    model: [{ calls: [{ name: 'draw', arguments: {} }] }, { text: 'ok' }],
    scripts: { draw: () => ({ kind: 'succeeded', value: 'done', files: [poster, sound] }) },
  });
  engine.images.add(engine.tenant, { width: 8, height: 8 }, poster);
  return engine;
}

describe('the pictures of a result', () => {
  it('are shown to the model where the tool says so, and stand behind the results from then on', async () => {
    const engine = drawing('show');
    const { runId, threadId } = await engine.start('go');
    await engine.work();
    const { calls, artifacts } = await engine.record(runId);
    const { kind: _kind, ...image } = poster;
    const shown = [{ ...image, artifactId: artifacts[0]?.id }];
    expect(calls[0]?.images).toEqual(shown);
    expect(calls[0]?.resultText).toContain('You see the pictures behind the results.');

    const next = await engine.start('and now?', { threadId });
    const state = await engine.ledger.loadRun(engine.tenant, next.runId as RunId);
    const history = state?.history.map((text) => JSON.parse(text)) ?? [];
    expect(history.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'images',
      'assistant',
      'user',
    ]);
    expect(history[3]).toEqual({ role: 'images', images: shown });
  });

  it.each([undefined, 'reference' as const])('are only named with images: %s', async (images) => {
    const engine = drawing(images);
    const { runId } = await engine.start('go');
    await engine.work();
    const { calls, artifacts } = await engine.record(runId);
    expect(artifacts).toHaveLength(2);
    expect(calls[0]?.images).toEqual([]);
    expect(calls[0]?.resultText).not.toContain('You see');
  });

  it('that a job brings back follow the same rule', async () => {
    const engine = startEngine({
      tools: [aRemoteTool('draw', { result: { images: 'show' } })],
      model: [{ calls: [{ name: 'draw', arguments: {} }] }, { text: 'ok' }],
    });
    engine.images.add(engine.tenant, { width: 8, height: 8 }, poster);
    const { runId } = await engine.start('go');
    await engine.work();
    await engine.callback((await engine.wait(runId)).id, 'done', [poster]);
    await engine.work();
    expect((await engine.record(runId)).calls[0]?.images).toMatchObject([
      { sha256: 'aa', title: 'poster.png' },
    ]);
  });

  it('that are there already are shown without a new artifact, and such a result is not cached', async () => {
    const images: ImageRef[] = [];
    const engine = startEngine({
      tools: [aServerTool('look', { cache: { ttlSeconds: 60 } })],
      model: [
        { calls: [{ name: 'look', arguments: {} }] },
        { calls: [{ name: 'look', arguments: {} }] },
        { text: 'ok' },
      ],
      scripts: { look: () => ({ kind: 'succeeded', value: 'see', files: [], shows: images }) },
    });
    images.push(engine.images.add(engine.tenant, { width: 8, height: 8 }));
    const { runId } = await engine.start('go');
    await engine.work();
    const { calls, artifacts } = await engine.record(runId);
    expect(calls.map((call) => call.images)).toEqual([images, images]);
    expect(artifacts).toEqual([]);
    expect(engine.tools.of('look')).toHaveLength(2);
  });
});
