import type { JsonValue } from '@plinth/protocol';
import { aComponentTool, aRemoteTool, aServerTool, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const call = (name: string) => ({ name, arguments: {} });
const ORDERS: JsonValue = {
  total: 500,
  orders: Array.from({ length: 500 }, (_, n) => ({ id: `A-${n}`, note: 'a word '.repeat(20) })),
};

/** The content of the n-th tool message that the model was sent last. */
function read(engine: TestEngine, place = 0): Record<string, JsonValue> {
  const results = engine.model.asked.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
  return JSON.parse(String(results[place]?.content)) as Record<string, JsonValue>;
}

function engineWith(
  result: JsonValue,
  tool: ReturnType<typeof aServerTool>,
  ...others: ReturnType<typeof aServerTool>[]
) {
  return startEngine({
    tools: [tool, ...others],
    model: [{ calls: [call(tool.key)] }, { text: 'ok' }],
    scripts: { [tool.key]: () => ({ kind: 'succeeded', value: result, files: [] }) },
  });
}

describe('the result of a tool', () => {
  it('one that was cut says so, and the full one is an artifact that does not open by itself', async () => {
    const engine = engineWith(ORDERS, aServerTool('search', { result: { summary: '{{total}} orders' } }));
    const { runId } = await engine.start('go');
    await engine.work();
    const { calls, artifacts } = await engine.record(runId);
    const [full] = artifacts;
    expect(artifacts).toMatchObject([
      { title: 'search.json', kind: 'code', mimeType: 'application/json', open: 'silent' },
    ]);
    expect(JSON.parse(await engine.artifacts.text(engine.tenant, full?.storageKey ?? ''))).toEqual(ORDERS);
    expect(calls[0]).toMatchObject({ status: 'succeeded', summary: '500 orders', artifactIds: [full?.id] });
    expect(read(engine)).toMatchObject({
      about: `This is a summary; the full result is artifact ${full?.id}, which the user can open beside the chat.`,
      summary: '500 orders',
      result: { total: 500, orders: expect.arrayContaining([expect.stringMatching(/of 500 items shown/)]) },
    });
    expect(read(engine)).not.toHaveProperty('artifacts');
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a short one stays as it was, and is kept only where that is wanted', async () => {
    const engine = engineWith(
      { did: 1 },
      aServerTool('search', { result: { artifact: 'always', open: 'notify' } }),
    );
    const { runId } = await engine.start('go');
    await engine.work();
    const [full] = (await engine.record(runId)).artifacts;
    expect(full?.open).toBe('notify');
    expect(read(engine)).toEqual({
      about: `The full result is artifact ${full?.id}, which the user can open beside the chat.`,
      result: { did: 1 },
    });
  });

  it('one that is not to be kept says that the rest is gone', async () => {
    const engine = engineWith(
      'word '.repeat(20_000),
      aServerTool('search', { result: { artifact: 'never' } }),
    );
    const { runId } = await engine.start('go');
    await engine.work();
    expect((await engine.record(runId)).artifacts).toEqual([]);
    expect(read(engine)).toMatchObject({ about: 'This is a summary; the rest of the result was not kept.' });
  });

  it('that the full one cannot be stored costs the artifact, not the result', async () => {
    const engine = engineWith(ORDERS, aServerTool('search'));
    engine.artifacts.full = true;
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'succeeded' }] });
    expect(read(engine)).toMatchObject({ about: 'This is a summary; the rest of the result was not kept.' });
    expect(engine.observer.problems.map(({ doing }) => doing)).toContain('store the full result of search');
  });

  it('one that is not what the tool promised fails the call, and the model is told what is wrong', async () => {
    const output = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] };
    const engine = engineWith({ total: 'many' }, aServerTool('search', { output }));
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'failed', error: { code: 'invalid_output' } }],
    });
    expect(read(engine)).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_output', message: expect.stringContaining('total must be integer') },
    });
  });
});

describe('the result that a callback brings', () => {
  const job = (rest = {}) =>
    startEngine({
      tools: [aRemoteTool('job', rest), aComponentTool('form')],
      model: [{ calls: [call('job'), call('form')] }, { text: 'ok' }],
    });
  const callbackOf = async (engine: TestEngine, runId: string) =>
    (await engine.waits(runId)).find(({ kind }) => kind === 'callback')?.id ?? '';

  it('is cut before it is written, and the next request is the same with the snapshot deleted', async () => {
    const bodies = [];
    for (const forget of [false, true]) {
      const engine = job();
      const { runId } = await engine.start('go');
      await engine.work();
      await engine.callback(await callbackOf(engine, runId), ORDERS);
      const { interrupts } = await engine.record(runId);
      expect(JSON.stringify(interrupts).length).toBeLessThan(20_000);
      if (forget) engine.store.clear();
      await engine.work();
      await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
      if (forget) engine.store.clear();
      await engine.work();
      const { artifacts } = await engine.record(runId);
      expect(JSON.parse(await engine.artifacts.text(engine.tenant, artifacts[0]?.storageKey ?? ''))).toEqual(
        ORDERS,
      );
      expect(read(engine)).toMatchObject({ about: expect.stringContaining(artifacts[0]?.id ?? 'none') });
      bodies.push(engine.model.bodies.at(-1));
    }
    expect(bodies[1]).toBe(bodies[0]);
  });

  it('fails the call when it is not what the tool promised', async () => {
    const engine = job({ output: { type: 'string' } });
    const { runId } = await engine.start('go');
    await engine.work();
    await engine.callback(await callbackOf(engine, runId), { not: 'a text' });
    await engine.work();
    expect((await engine.view(runId)).calls[0]).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_output' },
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('is not taken while its full form cannot be stored, and is when it is sent again', async () => {
    const engine = job();
    const { runId } = await engine.start('go');
    await engine.work();
    const id = await callbackOf(engine, runId);
    engine.artifacts.full = true;
    await expect(engine.callback(id, ORDERS)).rejects.toThrow('no room');
    expect((await engine.waits(runId)).map((wait) => wait.id)).toContain(id);
    engine.artifacts.full = false;
    await engine.callback(id, ORDERS);
    await engine.work();
    expect((await engine.record(runId)).artifacts).toHaveLength(1);
  });
});
