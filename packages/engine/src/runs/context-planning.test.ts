import { type ContextConfig, contextConfig, type EndpointOverrides, type Usage } from '@plinth/protocol';
import {
  type AskedModel,
  aServerTool,
  type EngineSetup,
  type ModelLine,
  startEngine,
  type TestEngine,
} from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { ImageRef } from '../images/image-ref.js';
import type { ContextOverflow } from '../models/context-overflow.js';
import { ModelError } from '../models/model-gateway.js';

/** Engine tests of a run whose conversation does not fit as it is. */

/** Milliseconds: the first count loads the table of the tokenizer, which takes seconds on a busy machine. */
const PATIENT = { timeout: 30_000 };

const USAGE: Usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 100 };
const PRICE = { inputPerMillion: 1_000_000, cachedInputPerMillion: 0, outputPerMillion: 0 };
const LONG = 'The order of the tea shop in Berlin came with the evening train. '.repeat(60);

const isSummary = ({ messages }: AskedModel) => messages[0]?.content?.startsWith('You shorten') ?? false;

interface Settings {
  bodyBytes?: number;
  endpoint?: EndpointOverrides;
  summary?: Partial<ContextConfig['summary']>;
}

function engineWith(
  model: (asked: AskedModel, attempt: number) => ModelLine,
  context: Settings = {},
  setup: Partial<EngineSetup> = {},
): TestEngine {
  return startEngine({
    model,
    ...setup,
    config: { context: contextConfig.parse(context), model: { maxOutputTokens: 100, price: PRICE } },
  });
}

/** Room for some 2,400 tokens: two long answers, not three. */
const SMALL: Settings = { endpoint: { windowTokens: 2_500 }, summary: { maxTokens: 100 } };

function addImage(engine: TestEngine, width: number, title: string): ImageRef {
  return engine.images.add(engine.tenant, { width, height: width }, { title });
}

function send(engine: TestEngine, text: string, images: readonly ImageRef[], threadId?: string) {
  const attachments = images.map((image) => ({
    uploadId: engine.attachments.upload(engine.tenant, engine.user, { ...image, kind: 'image' }),
  }));
  return engine.start(text, { attachments, ...(threadId !== undefined && { threadId }) });
}

/** Runs one after the other in one thread; their ids. */
async function talk(
  engine: TestEngine,
  texts: readonly string[],
): Promise<{ runId: string; threadId: string; messageId: string }[]> {
  const runs = [];
  let threadId: string | undefined;
  for (const text of texts) {
    const run = await engine.start(text, threadId === undefined ? {} : { threadId });
    threadId = run.threadId;
    await engine.work();
    runs.push(run);
  }
  return runs;
}

const urlsIn = (body: string) => [...body.matchAll(/"url":"(data:[^"]*)"/g)].map(([, url]) => url);

const refuses = (overflow: Partial<ContextOverflow>) =>
  new ModelError('context_overflow', false, 'too large', {
    kind: 'body_bytes',
    limit: null,
    actual: null,
    ...overflow,
  });

describe('a conversation that has become too long', PATIENT, () => {
  it('goes on with a summary, which is a message of its own behind the instructions and is paid by the run', async () => {
    const engine = engineWith(
      (asked) =>
        isSummary(asked) ? { text: 'They talked of trains.', usage: USAGE } : { text: LONG, usage: USAGE },
      SMALL,
    );
    const runs = await talk(engine, ['one', 'two', 'three', 'four']);
    const summaries = engine.model.asked.filter(isSummary);
    expect(summaries.length).toBeGreaterThan(0);
    const last = engine.model.asked.at(-1);
    expect(last?.messages[1]).toMatchObject({
      role: 'user',
      content: expect.stringContaining('They talked of trains.'),
    });
    expect(last?.body).not.toContain('"content":"one"');
    const records = await Promise.all(runs.map(({ runId }) => engine.record(runId)));
    const asked = records.reduce((sum, { run }) => sum + run.usage.inputTokens, 0);
    expect(asked).toBe(engine.model.asked.length * USAGE.inputTokens);
    const compacted = records.find(({ run }) => run.contextCut !== null);
    expect(compacted?.turns[0]?.context?.reasons).toContainEqual(
      expect.objectContaining({ code: 'history_summarised', wall: 'tokens' }),
    );
    expect(compacted?.run.usage.cost).toBe(compacted?.run.usage.inputTokens);
  });

  it('tells the person once, when it happens', async () => {
    const engine = engineWith((asked) => ({ text: isSummary(asked) ? 'Trains.' : LONG }), SMALL);
    const runs = await talk(engine, ['one', 'two', 'three', 'four']);
    let told = 0;
    for (const { runId, messageId } of runs) {
      const codes = (await engine.events(messageId)).flatMap((event) =>
        event.type === 'notice' ? [event.code] : [],
      );
      const { run } = await engine.record(runId);
      expect(codes).toEqual(run.contextCut === null ? [] : ['context_compacted']);
      told += codes.length;
    }
    expect(told).toBeGreaterThan(0);
  });

  it('loses the oldest without a summary when the summariser fails, and does not ask it again for them', async () => {
    const engine = engineWith(
      (asked) =>
        isSummary(asked) ? { fails: new ModelError('server_error', true, 'down') } : { text: LONG },
      SMALL,
    );
    const runs = await talk(engine, ['one', 'two', 'three', 'four']);
    const records = await Promise.all(runs.map(({ runId }) => engine.record(runId)));
    for (const { run } of records) expect(run.status).toBe('completed');
    const cut = records.find(({ run }) => run.contextCut !== null);
    expect(cut?.run.contextCut).toMatchObject({ summary: null, from: expect.any(Number) });
    const codes = cut?.turns[0]?.context?.reasons.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['history_dropped', 'summary_failed']));
    expect(engine.model.asked.filter(isSummary)).toHaveLength(1);
  });

  it('a summariser reads text alone: no pictures, no tools, and what comes back is bounded', async () => {
    const engine = engineWith(
      (asked) => ({ text: isSummary(asked) ? LONG.repeat(3) : LONG }),
      { ...SMALL, endpoint: { windowTokens: 5_000 } },
      { tools: [aServerTool('look')] },
    );
    const first = await send(engine, 'see', [addImage(engine, 400, 'shop.jpg')]);
    await engine.work();
    expect(urlsIn(engine.model.bodies[0] ?? '')).toHaveLength(1);
    for (const text of ['two', 'three', 'four', 'five', 'six', 'seven']) {
      await engine.start(text, { threadId: first.threadId });
      await engine.work();
    }
    const summaries = engine.model.asked.filter(isSummary);
    expect(summaries.length).toBeGreaterThan(0);
    for (const { body } of summaries) {
      expect(body).not.toContain('image_url');
      expect(JSON.parse(body)).not.toHaveProperty('tools');
    }
    expect(summaries[0]?.body).toContain('shop.jpg');
    expect(engine.model.asked.at(-1)?.messages[1]?.content?.length).toBeLessThan(LONG.length);
  });

  it('is not summarised twice when a worker dies between the summary and the answer', async () => {
    let killed = 0;
    const engine: TestEngine = engineWith((asked) => {
      if (isSummary(asked)) return { text: 'Trains.', usage: USAGE };
      return {
        text: LONG,
        usage: USAGE,
        then: async () => {
          if (!asked.body.includes('Trains.') || killed > 0) return;
          killed += 1;
          worker.life.kill();
        },
      };
    }, SMALL);
    let worker = engine.worker();
    const first = await engine.start('one');
    let runId = first.runId;
    for (const text of ['two', 'three', 'four']) {
      await Promise.race([engine.work(worker), worker.life.died]);
      if (killed > 0) break;
      runId = (await engine.start(text, { threadId: first.threadId })).runId;
    }
    if (killed === 0) await engine.work(worker);
    expect(killed).toBe(1);
    worker = engine.worker();
    await engine.afterLease();
    await engine.work(worker);
    const { run } = await engine.record(runId);
    expect(run.status).toBe('completed');
    expect(engine.model.asked.filter(isSummary)).toHaveLength(1);
    const bodies = engine.model.bodies.filter((body) => body.includes('Trains.'));
    expect(new Set(bodies).size).toBe(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('gives the same next request with its snapshot and without', async () => {
    const bodies = async (without: boolean) => {
      const engine = engineWith(
        (asked) =>
          isSummary(asked)
            ? { text: 'Trains.' }
            : asked.messages.at(-1)?.role === 'user' && asked.body.includes('"ask"')
              ? { text: LONG, calls: [{ name: 'pay', arguments: {} }] }
              : { text: LONG },
        SMALL,
        { tools: [aServerTool('pay', { requireConfirmation: 'always' })] },
      );
      const [first] = await talk(engine, ['one', 'two', 'three']);
      const { runId } = await engine.start('ask', { threadId: first?.threadId ?? '' });
      await engine.work();
      if (without) engine.store.clear();
      await engine.answer((await engine.wait(runId)).id, { type: 'approve' });
      await engine.work();
      expect(await engine.ended(runId)).toBe(true);
      return engine.model.bodies;
    };
    const kept = await bodies(false);
    expect(await bodies(true)).toEqual(kept);
    expect(kept.some((body) => body.includes('Trains.'))).toBe(true);
  });
});

describe('what is noted of a turn', PATIENT, () => {
  it('how much of the request is the one before it, and what was left out when that changed', async () => {
    const engine = engineWith(
      (asked) =>
        asked.messages.at(-1)?.role === 'user'
          ? { calls: [{ name: 'look', arguments: {} }] }
          : { text: 'ok' },
      {},
      { tools: [aServerTool('look')] },
    );
    const { runId } = await engine.start('go');
    await engine.work();
    const { turns } = await engine.record(runId);
    const [before, after] = engine.model.bodies as [string, string];
    expect(turns.map(({ context }) => context?.bytes)).toEqual(
      [before, after].map((body) => Buffer.byteLength(body)),
    );
    expect(turns[0]?.context).toMatchObject({ prefixBytes: null, cut: null, reasons: [] });
    const prefix = turns[1]?.context?.prefixBytes ?? 0;
    expect(after.slice(0, prefix)).toBe(before.slice(0, prefix));
    expect(prefix).toBe(before.indexOf('],"tools":'));
  });
});

describe('a run that does not fit', PATIENT, () => {
  it('ends before the model is asked, and says how large it would have been', async () => {
    const engine = engineWith(() => ({ text: 'ok' }), SMALL);
    const { runId } = await engine.start(LONG.repeat(5));
    await engine.work();
    expect(engine.model.asked).toHaveLength(0);
    expect(await engine.view(runId)).toMatchObject({
      status: 'failed',
      reason: 'context_unfit',
      error: { code: 'context_unfit', message: expect.stringMatching(/[\d,]{5,} tokens.* takes 2,400/) },
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('keeps its newest result as a note when even that is too large, and goes on', async () => {
    const engine = engineWith(
      (asked) =>
        asked.messages.at(-1)?.role === 'user'
          ? { calls: [{ name: 'look', arguments: {} }] }
          : { text: 'ok' },
      { endpoint: { windowTokens: 1_500 } },
      {
        tools: [aServerTool('look')],
        scripts: { look: () => ({ kind: 'succeeded', value: LONG.repeat(6), files: [] }) },
      },
    );
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    const result = engine.model.asked.at(-1)?.messages.find(({ role }) => role === 'tool');
    expect(result?.content?.length).toBeLessThan(1_000);
    expect(result?.content).toContain('taken out');
  });
});

describe('a request that its endpoint refuses as too large', PATIENT, () => {
  const WALL: ContextOverflow = { kind: 'tokens', limit: 1_500, actual: 2_100 };

  it('is made smaller and sent once more, and the wall is remembered for the next run', async () => {
    let refused = 0;
    const engine = engineWith((asked) => {
      if (isSummary(asked)) return { text: 'Trains.' };
      if (asked.body.length < 6_000) return { text: LONG };
      refused += 1;
      return { fails: refuses(WALL) };
    });
    const runs = await talk(engine, ['one', 'two', 'three', 'four']);
    for (const { runId } of runs) expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    expect(refused).toBe(1);
    expect(new Set(engine.model.bodies).size).toBe(engine.model.bodies.length);
    const learned = await Promise.all(
      runs.map(async ({ runId }) => (await engine.record(runId)).run.contextCut?.learned),
    );
    expect(learned.some((walls) => (walls?.inputTokens ?? 0) > 0)).toBe(true);
  });

  it('a second time, ends the run with an error that names sizes', async () => {
    const engine = engineWith(
      (asked) =>
        isSummary(asked)
          ? { text: 'Trains.' }
          : asked.body.length < 6_000
            ? { text: LONG }
            : { fails: refuses({ kind: 'body_bytes' }) },
      {},
      {},
    );
    const [first, second] = await talk(engine, ['one', 'two']);
    engine.model.script = (asked) =>
      isSummary(asked) ? { text: 'Trains.' } : { fails: refuses({ kind: 'body_bytes' }) };
    const last = await engine.start('three', { threadId: first?.threadId ?? '' });
    const before = engine.model.asked.filter((asked) => !isSummary(asked)).length;
    await engine.work();
    expect(second).toBeDefined();
    const asked = engine.model.asked.filter((one) => !isSummary(one)).slice(before);
    expect(asked.length).toBe(2);
    expect(asked[1]?.body.length).toBeLessThan(asked[0]?.body.length ?? 0);
    expect(await engine.view(last.runId)).toMatchObject({
      status: 'failed',
      reason: 'context_unfit',
      error: {
        code: 'context_overflow',
        message: expect.stringMatching(/[\d,]+ bytes, about [\d,]+ tokens and 0 images/),
      },
    });
    expect(await engine.brokenRules(last.runId)).toEqual([]);
  });

  it('is not sent again when nothing can be left out of it', async () => {
    const engine = engineWith(() => ({ fails: refuses({ kind: 'image_rejected' }) }));
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.model.asked).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({
      reason: 'context_unfit',
      error: { code: 'context_overflow' },
    });
  });

  it('a picture that was refused is in no request any more', async () => {
    const engine = engineWith((asked) =>
      asked.body.includes('image_url') && asked.body.includes('bad.jpg') && urlsIn(asked.body).length > 1
        ? { fails: refuses({ kind: 'image_rejected' }) }
        : { text: 'ok' },
    );
    const good = addImage(engine, 300, 'good.jpg');
    const bad = addImage(engine, 301, 'bad.jpg');
    const first = await send(engine, 'see', [good]);
    await engine.work();
    const second = await send(engine, 'and this', [bad], first.threadId);
    await engine.work();
    expect(await engine.view(second.runId)).toMatchObject({ status: 'completed' });
    const codes = (await engine.events(second.messageId)).flatMap((event) =>
      event.type === 'notice' ? [event.code] : [],
    );
    expect(codes).toEqual(['image_rejected']);
    await engine.start('again', { threadId: first.threadId });
    await engine.work();
    expect(engine.model.bodies.map((body) => urlsIn(body).length)).toEqual([1, 2, 1, 1]);
    expect(engine.model.bodies.at(-1)).toContain('refused by the endpoint');
  });
});

describe('pictures in a request', PATIENT, () => {
  it('are sent once, with the size that was planned, and named where they come again', async () => {
    const engine = engineWith(() => ({ text: 'ok' }));
    const image = addImage(engine, 300, 'shop.jpg');
    const first = await send(engine, 'see', [image]);
    await engine.work();
    const { runId } = await send(engine, 'again', [image], first.threadId);
    await engine.work();
    const [, body = ''] = engine.model.bodies;
    expect(urlsIn(body)).toHaveLength(1);
    expect(body).toContain('the same image as above');
    const { turns } = await engine.record(runId);
    expect(turns[0]?.context).toMatchObject({
      bytes: Buffer.byteLength(body),
      reasons: [{ code: 'image_repeated' }],
    });
  });

  it('C1: six of 8 MB over ten turns stay under the threshold, reduced and not gone, and the next turn too', async () => {
    const engine = engineWith(() => ({ text: 'ok' }), {
      bodyBytes: 1_500_000,
      endpoint: { imageSide: 4_000, imageBytes: 8_000_000 },
    });
    let threadId: string | undefined;
    for (let turn = 0; turn < 11; turn += 1) {
      const images = turn < 6 ? [addImage(engine, 4_000 + turn, `photo-${turn}.jpg`)] : [];
      const run = await send(engine, `turn ${turn}`, images, threadId);
      threadId = run.threadId;
      await engine.work();
      expect(await engine.view(run.runId)).toMatchObject({ status: 'completed' });
    }
    for (const body of engine.model.bodies) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_500_000);
    expect(urlsIn(engine.model.bodies.at(-1) ?? '')).toHaveLength(6);
    expect(
      engine.model.bodies.at(-1)?.startsWith(engine.model.bodies.at(-2)?.split('],"temperature"')[0] ?? '-'),
    ).toBe(true);
  });

  it('that cannot be read are told as such, to the model and to the person', async () => {
    const engine = engineWith(() => ({ text: 'ok' }));
    const broken = engine.images.add(
      engine.tenant,
      { width: 1, height: 1, unreadable: 'It is damaged.' },
      { title: 'x.jpg' },
    );
    const { messageId, threadId } = await send(engine, 'see', [broken]);
    await engine.work();
    expect(engine.model.bodies[0]).toContain('cannot be shown: It is damaged.');
    const codesOf = async (id: string) =>
      (await engine.events(id)).flatMap((event) => (event.type === 'notice' ? [event.code] : []));
    expect(await codesOf(messageId)).toEqual(['image_unreadable']);
    const next = await engine.start('and now', { threadId });
    await engine.work();
    expect(await codesOf(next.messageId)).toEqual([]);
  });
});
