import { addUsage, NO_USAGE } from '@plinth/protocol';
import { aServerTool, idle, startEngine, untilAborted } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../models/model-gateway.js';
import { priceUsage } from '../models/price-usage.js';

const PRICE = { inputPerMillion: 2, cachedInputPerMillion: 0.5, outputPerMillion: 8 };
/** What the scripted model counts for an answer: 60 new and 40 cached input tokens, 10 output tokens. */
const COST_OF_ANSWER = (60 * 2 + 40 * 0.5 + 10 * 8) / 1_000_000;
const WORK = aServerTool('work');
const passing = () => new ModelError('server_error', true, 'Overloaded.');
const told = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 5 };

describe('what a run costs', () => {
  it('cached input tokens have their own price, and are not counted twice', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 500_000 };
    expect(priceUsage(usage, PRICE)).toEqual({ ...usage, cost: 1.2 + 0.2 + 4 });
    expect(priceUsage(usage, null)).toEqual(usage);
  });

  it('sums have no tail of noise; where nothing has a price there is none', () => {
    const tenth = { ...NO_USAGE, cost: 0.1 };
    expect(addUsage(addUsage(tenth, tenth), tenth).cost).toBe(0.3);
    expect(addUsage(NO_USAGE, NO_USAGE)).toEqual(NO_USAGE);
    expect(addUsage(NO_USAGE, tenth).cost).toBe(0.1);
  });

  it('is the sum over its turns, in its view and in its events', async () => {
    const engine = startEngine({
      tools: [WORK],
      model: [{ calls: [{ name: 'work', arguments: {} }] }, { text: 'ok' }],
      config: { model: { price: PRICE } },
    });
    const { runId, messageId } = await engine.start('go');
    await engine.work();
    const cost = Number((2 * COST_OF_ANSWER).toFixed(9));
    expect((await engine.view(runId)).usage).toEqual({
      inputTokens: 200,
      cachedInputTokens: 80,
      outputTokens: 20,
      cost,
    });
    expect((await engine.events(messageId)).at(-1)).toMatchObject({ type: 'run.finished', usage: { cost } });
  });

  it('ends it by name before the next turn, when there is a limit', async () => {
    const engine = startEngine({
      tools: [WORK],
      model: ({ messages }) => ({ calls: [{ name: 'work', arguments: { n: messages.length } }] }),
      config: { model: { price: PRICE }, budgets: { maxCost: 2.5 * COST_OF_ANSWER } },
    });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.model.asked).toHaveLength(3);
    expect(await engine.view(runId)).toMatchObject({ status: 'failed', reason: 'budget_cost' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('follows the price in force at each turn', async () => {
    const engine = startEngine({
      tools: [WORK],
      model: [{ calls: [{ name: 'work', arguments: {} }] }, { text: 'ok' }],
    });
    engine.tools.scripts.work = () => {
      engine.config = { ...engine.config, model: { ...engine.config.model, price: PRICE } };
      engine.clock.advance(1_000);
      return { kind: 'succeeded', value: 1, files: [] };
    };
    const { runId } = await engine.start('go');
    await engine.work();
    expect((await engine.view(runId)).usage.cost).toBe(COST_OF_ANSWER);
  });
});

describe('tokens of a try that brought no answer', () => {
  it('are counted when the provider has told them: a try that failed and was made again', async () => {
    const engine = startEngine({
      model: (_asked, attempt) =>
        attempt === 1 ? { text: 'Hel', usage: told, fails: passing() } : { text: 'ok' },
      config: { model: { price: PRICE } },
    });
    const { runId, messageId } = await engine.start('go');
    const working = engine.work();
    await idle();
    engine.clock.advance(1_000);
    await working;
    expect((await engine.view(runId)).usage).toMatchObject({ inputTokens: 200, outputTokens: 15 });
    expect((await engine.view(runId)).usage.cost).toBeCloseTo(COST_OF_ANSWER + (100 * 2 + 5 * 8) / 1e6, 9);
    expect((await engine.record(runId)).turns[0]?.usage.inputTokens).toBe(100);
    const usages = (await engine.events(messageId)).filter(({ type }) => type === 'usage');
    expect(usages).toMatchObject([{ total: { inputTokens: 100 } }, { total: { inputTokens: 200 } }]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('the last try of a run that ends as model_error', async () => {
    const engine = startEngine({
      model: [{ usage: told, fails: new ModelError('rejected', false, 'Filtered.') }],
    });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ reason: 'model_error', usage: told });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it.each([
    ['whose text stays', 'Once upon'],
    ['that showed nothing', undefined],
  ])('one %s when its run is cancelled', async (_name, text) => {
    const engine = startEngine({
      model: [{ ...(text !== undefined && { text }), usage: told, then: untilAborted }],
    });
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await working;
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled', usage: told });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('what was not told is not made up', async () => {
    const engine = startEngine({ model: [{ text: 'Once', then: untilAborted }] });
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await working;
    expect((await engine.view(runId)).usage).toEqual(NO_USAGE);
  });
});
