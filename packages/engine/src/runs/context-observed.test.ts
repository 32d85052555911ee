import { type ContextConfig, contextConfig } from '@plinth/protocol';
import { type AskedModel, type ModelLine, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../models/model-gateway.js';

const PATIENT = { timeout: 30_000 };
const LONG = 'The order of the tea shop in Berlin came with the evening train. '.repeat(60);
const TOO_LARGE = new ModelError('context_overflow', false, 'Too large.', {
  kind: 'tokens',
  limit: null,
  actual: null,
});
const isSummary = ({ messages }: AskedModel) => messages[0]?.content?.startsWith('You shorten') ?? false;

function engineWith(
  model: (asked: AskedModel) => ModelLine,
  windowTokens: number,
  summary: Partial<ContextConfig['summary']> = {},
) {
  const context = contextConfig.parse({
    endpoint: { windowTokens },
    summary: { maxTokens: 100, ...summary },
  });
  return startEngine({ model, config: { model: { name: 'gpt-4o', maxOutputTokens: 100 }, context } });
}

async function talk(engine: ReturnType<typeof engineWith>, texts: string[]): Promise<void> {
  let threadId: string | undefined;
  for (const text of texts) {
    ({ threadId } = await engine.start(text, threadId === undefined ? {} : { threadId }));
    await engine.work();
  }
}

describe('what is told of the context', PATIENT, () => {
  it('each request with its size, and each loss once, when it happens', async () => {
    const engine = engineWith((asked) => (isSummary(asked) ? { text: 'Trains.' } : { text: LONG }), 2_500);
    await talk(engine, ['one', 'two', 'three', 'four']);
    const { sent, context } = engine.observer;
    const bodies = engine.model.asked.filter((asked) => !isSummary(asked)).map(({ body }) => body);
    expect(sent.map(({ bytes }) => bytes)).toEqual(bodies.map((body) => Buffer.byteLength(body)));
    expect(new Set(sent.map(({ endpoint }) => endpoint))).toEqual(new Set(['gpt-4o']));
    for (const { bytes, tokens } of sent) expect(tokens).toBeLessThanOrEqual(bytes);
    const summaries = engine.model.asked.filter(isSummary).length;
    expect(summaries).toBeGreaterThan(0);
    expect(context).toEqual(Array<string>(summaries).fill('gpt-4o: summarised'));
  });

  it('what leaves without a summary is dropped', async () => {
    const engine = engineWith(() => ({ text: LONG }), 2_500, { enabled: false });
    await talk(engine, ['one', 'two', 'three', 'four']);
    const { context } = engine.observer;
    expect(context.length).toBeGreaterThan(0);
    expect(new Set(context)).toEqual(new Set(['gpt-4o: dropped']));
  });

  it('a request in the place of a refused one, and the end when that is refused too', async () => {
    let refusals = 0;
    const engine = engineWith(
      (asked) => {
        if (!asked.body.includes('refuse')) return { text: LONG };
        refusals += 1;
        return { fails: TOO_LARGE };
      },
      100_000,
      { enabled: false },
    );
    await talk(engine, ['one', 'two', 'refuse this']);
    expect(refusals).toBe(2);
    expect(engine.observer.context).toEqual([
      'gpt-4o: dropped',
      'gpt-4o: replaced, too_large',
      'gpt-4o: unfit, context_overflow',
    ]);
  });

  it('a run that is ended before its request is sent', async () => {
    const engine = engineWith(() => ({ text: 'ok' }), 1_000);
    await talk(engine, [LONG.repeat(2)]);
    expect(engine.observer.sent).toEqual([]);
    expect(engine.observer.context).toEqual(['gpt-4o: unfit, context_unfit']);
  });
});
