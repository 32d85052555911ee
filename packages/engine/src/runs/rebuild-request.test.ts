import { createHash } from 'node:crypto';
import {
  contextConfig,
  type JsonObject,
  type JsonValue,
  type RunId,
  type TurnRequestView,
  type Visibility,
} from '@plinth/protocol';
import {
  aComponentTool,
  aRemoteTool,
  aServerTool,
  idle,
  startEngine,
  type TestEngine,
  untilAborted,
} from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { ArtifactLost } from '../artifacts/artifact-store.js';
import { ModelError } from '../models/model-gateway.js';
import { type RebuildPorts, rebuildRequest } from './rebuild-request.js';

/** Milliseconds: the first count loads the table of the tokenizer, which takes seconds on a busy machine. */
const PATIENT = { timeout: 30_000 };
const LONG = 'The order of the tea shop in Berlin came with the evening train. '.repeat(60);
/** What the person fills into the form of these tests: no other message has it. */
const SUBMITTED = 'filled in by hand';
/** Room for some 2,400 tokens: two long answers, not three. */
const SMALL = { endpoint: { windowTokens: 2_500 }, summary: { maxTokens: 100 } };
const NEVER = new AbortController().signal;

function portsOf(engine: TestEngine, changed: Partial<RebuildPorts> = {}): RebuildPorts {
  const { ledger, images, config } = engine;
  return {
    runs: {
      load: async (tenant, runId) => {
        const state = await ledger.loadRun(tenant, runId);
        const visibility = (state?.history ?? []).map(
          (message): Visibility => (message.includes(SUBMITTED) ? 'shadow' : 'chat'),
        );
        return state && { state, visibility };
      },
    },
    agents: engine.door.agents,
    config: { at: async (_tenant, revision) => ({ revision, forAgent: () => config }) },
    pictures: {
      find: (tenant, image, step, walls) => images.variant(tenant, image, step, walls, NEVER),
      bytes: (tenant, variant) => images.bytes(tenant, variant),
      urlAt: (tenant, variant) => images.url(tenant, variant),
    },
    ...changed,
  };
}

async function requestOf(engine: TestEngine, runId: string, turn: number, ports = portsOf(engine)) {
  const view = await rebuildRequest(ports, engine.tenant, runId as RunId, turn);
  if (view === null) throw new Error(`turn ${turn} is not there`);
  return view;
}

async function requestsOf(engine: TestEngine, runId: string): Promise<TurnRequestView[]> {
  const { turns } = await engine.record(runId);
  return Promise.all(turns.map(({ index }) => requestOf(engine, runId, index)));
}

const isPicture = (part: JsonValue) =>
  ['image', 'image_url'].includes(String((part as JsonObject).type)) ? 'a picture' : part;

/** A message with no more of its pictures than that they are there. */
const withoutPictures = (message: JsonObject): JsonObject =>
  Array.isArray(message.content) ? { ...message, content: message.content.map(isPicture) } : message;

/** The body that a view shows, as far as one can see. */
const shownBody = ({ settings, tools, messages }: TurnRequestView) => ({
  ...settings,
  messages: messages.map(({ message }) => withoutPictures(message)),
  ...(tools.length > 0 && {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  }),
});

/** Holds a view against what a model was really sent. */
function expectAsSent(engine: TestEngine, view: TurnRequestView): void {
  const body = engine.model.bodies.find(
    (one) => createHash('sha256').update(one).digest('hex') === view.digest,
  );
  if (body === undefined) throw new Error(`no request with the digest of turn ${view.turn} was sent`);
  expect(view).toMatchObject({ verified: true, doubts: [], bytes: Buffer.byteLength(body) });
  const sent = JSON.parse(body) as { messages: JsonObject[] };
  expect(shownBody(view)).toEqual({ ...sent, messages: sent.messages.map(withoutPictures) });
  expect(JSON.stringify(view)).not.toContain('base64');
}

/** Runs one after the other in one thread; their ids. */
async function talk(engine: TestEngine, texts: readonly string[]): Promise<string[]> {
  const runs: string[] = [];
  let threadId: string | undefined;
  for (const text of texts) {
    const run = await engine.start(text, threadId === undefined ? {} : { threadId });
    threadId = run.threadId;
    runs.push(run.runId);
    await engine.work();
    for (const wait of await engine.waits(run.runId))
      await engine.answer(wait.id, { type: 'submit', value: { note: SUBMITTED } });
    await engine.work();
  }
  return runs;
}

async function send(engine: TestEngine, widths: readonly number[], threadId?: string) {
  const attachments = widths.map((width) => {
    const image = engine.images.add(engine.tenant, { width, height: width }, { title: `shop-${width}.jpg` });
    return { uploadId: engine.attachments.upload(engine.tenant, engine.user, { ...image, kind: 'image' }) };
  });
  return engine.start('See.', { attachments, ...(threadId !== undefined && { threadId }) });
}

const imagesIn = ({ messages }: TurnRequestView) =>
  messages.flatMap(({ message: { content } }) =>
    Array.isArray(content)
      ? content.flatMap((part) => {
          const { type, image } = part as JsonObject;
          return type === 'image' ? [image as JsonObject] : [];
        })
      : [],
  );

describe('the request of a turn, made again from the rows', PATIENT, () => {
  it('is what the model was sent, in every turn of a run that waits for people and jobs', async () => {
    const engine = startEngine({
      tools: [
        aServerTool('look_up'),
        aServerTool('pay', { requireConfirmation: 'always' }),
        aRemoteTool('draw'),
        aComponentTool('form'),
      ],
      model: [
        { text: '一', calls: [{ name: 'look_up', arguments: '{"b": 1,  "2":"\\u00e9"}' }] },
        { calls: ['form', 'pay', 'draw'].map((name) => ({ name, arguments: { a: 1 } })) },
        { calls: [{ name: 'form', arguments: '{"broken":' }] },
        { text: 'ok' },
      ],
      config: { budgets: { maxTurns: 4 } },
    });
    const { runId } = await engine.start('a poster, 中文');
    await engine.work();
    while (!(await engine.ended(runId))) {
      const wait = (await engine.waits(runId)).at(-1);
      if (!wait) throw new Error('nothing waits');
      if (wait.kind === 'callback') await engine.callback(wait.id);
      else if (wait.kind === 'component') await engine.answer(wait.id, { type: 'submit', value: SUBMITTED });
      else await engine.answer(wait.id, { type: 'approve', arguments: { q: 1, '1': 2 } });
      await engine.work();
    }
    const views = await requestsOf(engine, runId);
    expect(views).toHaveLength(4);
    for (const view of views) expectAsSent(engine, view);
    const last = views[3]?.messages ?? [];
    expect(last.map(({ what, shadow }) => `${what}${shadow ? ', shadow' : ''}`)).toEqual([
      'instructions, shadow',
      'said',
      'said',
      'result',
      'said',
      'result, shadow',
      'result',
      'result',
      'said',
      'result',
      'announcement, shadow',
    ]);
  });

  it('is that of its own time: what later turns have left out is in it, what it left out is not', async () => {
    const engine = startEngine({
      tools: [aComponentTool('form')],
      model: ({ messages }) => {
        if (messages[0]?.content?.startsWith('You shorten')) return { text: 'They talked of trains.' };
        // Not every run has a result: a mark in the wrong place shows.
        const isAsked = ['one', 'four', 'five'].includes(messages.at(-1)?.content ?? '');
        return isAsked
          ? { text: LONG, calls: [{ name: 'form', arguments: {} }] }
          : { text: LONG.slice(0, 800) };
      },
      config: { context: contextConfig.parse(SMALL), model: { maxOutputTokens: 100 } },
    });
    const runs = await talk(engine, ['one', 'two', 'three', 'four', 'five']);
    const views = (await Promise.all(runs.map((runId) => requestsOf(engine, runId)))).flat();
    expect(views).toHaveLength(8);
    for (const view of views) {
      expectAsSent(engine, view);
      for (const { what, shadow, message } of view.messages)
        if (what === 'result') expect(shadow).toBe(JSON.stringify(message).includes(SUBMITTED));
        else expect(shadow).toBe(what !== 'said');
    }
    expect(views[0]?.messages.map(({ what }) => what)).not.toContain('summary');
    expect(views.at(-1)?.messages.map(({ what }) => what)).toContain('summary');
  });

  it('shows pictures by what they are, on the rung on which they were sent', async () => {
    const engine = startEngine({
      model: [{ text: 'Nice.' }],
      config: { context: contextConfig.parse({ bodyBytes: 400_000 }) },
    });
    const { runId, threadId } = await send(engine, [400, 900]);
    await engine.work();
    const second = await send(engine, [800, 700, 600], threadId);
    await engine.work();
    const views = [await requestOf(engine, runId, 0), await requestOf(engine, second.runId, 0)];
    for (const view of views) expectAsSent(engine, view);
    expect(imagesIn(views[0] as TurnRequestView)).toMatchObject([
      { title: 'shop-400.jpg', step: 0, mimeType: 'image/png', width: 400, delivery: 'inline' },
      { title: 'shop-900.jpg', width: 768, height: 768 },
    ]);
    const steps = imagesIn(views[1] as TurnRequestView).map(({ step }) => Number(step));
    expect(Math.max(...steps)).toBeGreaterThan(0);
  });

  it('does not tell the address that a picture was fetched from', async () => {
    const context = contextConfig.parse({ endpoint: { imageDelivery: 'url' } });
    const engine = startEngine({ model: [{ text: 'Nice.' }], config: { context } });
    const { runId } = await send(engine, [400]);
    await engine.work();
    const view = await requestOf(engine, runId, 0);
    expectAsSent(engine, view);
    expect(imagesIn(view)).toMatchObject([{ delivery: 'url' }]);
    expect(engine.model.bodies[0]).toContain('images.test');
    expect(JSON.stringify(view)).not.toContain('images.test');
  });

  it('is the one that was answered, when one before it was refused as too large', async () => {
    const engine = startEngine({
      model: ({ body }) =>
        Buffer.byteLength(body) > 300_000
          ? {
              fails: new ModelError('context_overflow', false, 'too large', {
                kind: 'body_bytes',
                limit: 300_000,
                actual: null,
              }),
            }
          : { text: 'Nice.' },
    });
    const { runId } = await send(engine, [700, 600]);
    await engine.work();
    expect(engine.model.bodies).toHaveLength(2);
    const view = await requestOf(engine, runId, 0);
    expectAsSent(engine, view);
    expect(view.bytes).toBeLessThan(300_000);
  });

  it('is there of an answer that was cut by a cancel, and of the turn after it', async () => {
    const engine = startEngine({
      model: ({ messages }) =>
        messages.length > 2 ? { text: 'ok' } : { text: ['Once upon', ' a time'], then: untilAborted },
    });
    const { runId, threadId } = await engine.start('tell me a story');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await working;
    const next = await engine.start('and then?', { threadId });
    await engine.work();
    const views = [await requestOf(engine, runId, 0), await requestOf(engine, next.runId, 0)];
    for (const view of views) expectAsSent(engine, view);
    expect(views[1]?.messages[2]?.message).toEqual({ role: 'assistant', content: 'Once upon a time' });
  });

  it('adds up: the parts have no more bytes than the whole, and the tokens that are told', async () => {
    const engine = startEngine({ tools: [aServerTool('look_up')], model: [{ text: LONG }] });
    const [, runId = ''] = await talk(engine, ['one', 'two']);
    const view = await requestOf(engine, runId, 0);
    const parts = [...view.tools, ...view.messages];
    const sum = (of: 'bytes' | 'tokens') => parts.reduce((total, part) => total + part[of], 0);
    expect(view.tokensExact).toBe(true);
    expect(view.tokens).toBe(sum('tokens'));
    expect(sum('bytes')).toBeLessThan(view.bytes);
    expect(sum('bytes')).toBeGreaterThan(view.bytes - 300);
  });

  it('is not there before the model has answered', async () => {
    const engine = startEngine({ model: [{ text: 'ok' }] });
    const { runId } = await engine.start('hello');
    expect(await rebuildRequest(portsOf(engine), engine.tenant, runId as RunId, 0)).toBeNull();
    await engine.work();
    expect(await rebuildRequest(portsOf(engine), engine.tenant, runId as RunId, 0)).not.toBeNull();
    expect(await rebuildRequest(portsOf(engine), engine.tenant, runId as RunId, 1)).toBeNull();
  });
});

describe('a request that cannot be made again as it was', PATIENT, () => {
  async function answered(widths: number[] = []): Promise<{ engine: TestEngine; runId: string }> {
    const engine = startEngine({ model: [{ text: 'ok' }] });
    const { runId } = await send(engine, widths);
    await engine.work();
    return { engine, runId };
  }
  const doubtsOf = async (engine: TestEngine, runId: string, changed: Partial<RebuildPorts>) => {
    const view = await requestOf(engine, runId, 0, portsOf(engine, changed));
    expect(view.verified).toBe(view.doubts.length === 0);
    return view.doubts.map(({ code }) => code);
  };
  const lost = async () => {
    throw new ArtifactLost('missing', 'gone');
  };

  it('says so, and why', async () => {
    const { engine, runId } = await answered([400]);
    const ports = portsOf(engine);
    const model = (name: string, temperature: number) => ({
      at: async () => ({
        revision: 1,
        forAgent: () => ({ ...engine.config, model: { ...engine.config.model, name, temperature } }),
      }),
    });
    const { name } = engine.config.model;
    expect(await doubtsOf(engine, runId, {})).toEqual([]);
    expect(await doubtsOf(engine, runId, { config: model('another', 1) })).toEqual(['model_changed']);
    expect(await doubtsOf(engine, runId, { config: model(name, 0.123) })).toEqual(['platform_changed']);
    expect(await doubtsOf(engine, runId, { pictures: { ...ports.pictures, bytes: lost } })).toEqual([
      'image_lost',
    ]);
    const find = async () => null;
    expect(await doubtsOf(engine, runId, { pictures: { ...ports.pictures, find } })).toEqual([
      'image_unknown',
    ]);
  });

  it('still tells of a picture what the history knows of it', async () => {
    const { engine, runId } = await answered([400]);
    const pictures = { ...portsOf(engine).pictures, find: async () => null };
    const view = await requestOf(engine, runId, 0, portsOf(engine, { pictures }));
    expect(imagesIn(view)).toMatchObject([{ title: 'shop-400.jpg', mimeType: null }]);
  });

  it('fails when a store does, and does not say that something differs', async () => {
    const { engine, runId } = await answered([400]);
    const bytes = async () => Promise.reject(new Error('the store is down'));
    const pictures = { ...portsOf(engine).pictures, bytes };
    await expect(requestOf(engine, runId, 0, portsOf(engine, { pictures }))).rejects.toThrow('is down');
  });
});
