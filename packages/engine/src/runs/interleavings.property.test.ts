import { emptyMessageView, reduceMessage } from '@plinth/client';
import { PlinthError, type TenantConfig } from '@plinth/protocol';
import {
  aComponentTool,
  aFrontendTool,
  aRemoteTool,
  aServerTool,
  type EngineWorker,
  startEngine,
  type TestEngine,
} from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/**
 * Anything that can happen to a run, in any order and at once: answers, other answers, repeated answers,
 * cancels, passing time, deaths of workers at any write, wakes from nowhere, lost snapshots. Whatever happens,
 * the rules of a run hold.
 */

const TOOLS = [
  aComponentTool('form', { waitTimeoutSeconds: 60, closing: true }),
  aServerTool('pay', { requireConfirmation: 'always' }),
  aServerTool('charge'),
  aServerTool('look_up', { idempotent: true, concurrency: 'exclusive' }),
  aRemoteTool('draw', { waitTimeoutSeconds: 60 }),
  aRemoteTool('redraw', { idempotent: true, requireConfirmation: 'always' }),
  aServerTool('refund', { onUnknown: 'ask', requireConfirmation: 'always', waitTimeoutSeconds: 60 }),
  aServerTool('mail', { requireConfirmation: { when: 'arguments.n > 0' }, remember: 'once' }),
  aServerTool('post', { requireConfirmation: 'always', remember: 'thread', idempotent: true }),
  aServerTool('rates', {
    idempotent: true,
    cache: { ttlSeconds: 60 },
    rateLimit: { max: 2, perSeconds: 60 },
  }),
  aRemoteTool('ship', { onUnknown: 'ask', waitTimeoutSeconds: 60, closing: true }),
  aFrontendTool('edit', { recovery: 'ask', waitTimeoutSeconds: 60 }),
  aFrontendTool('scan', { recovery: 'rerun', waitTimeoutSeconds: 60 }),
];
/** Far more than a scenario takes when nobody lets it pass. */
const MOST_SECONDS = 36_000;
const REASONS = ['final_answer', 'cancelled', 'budget_time', 'budget_iterations', 'budget_tool_calls'];
const OUTCOMES = ['happened', 'did_not_happen', 'unknown'] as const;
const NAMES = [...TOOLS.map(({ key }) => key), 'unheard_of'];

type Step =
  | { do: 'work' | 'cancel' | 'expire' | 'deadline' | 'lease' | 'wake' | 'forget' }
  | { do: 'answer' | 'decline' | 'repeat'; which: number }
  | { do: 'rules'; permissions: TenantConfig['tools']['permissions'] }
  | { do: 'crash'; at: number; when: 'before' | 'after' };

const rules = fc.array(
  fc.record({
    tool: fc.constantFrom('*', 'p*', ...NAMES),
    effect: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
  }),
  { maxLength: 2 },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('rules' as const), permissions: rules }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('answer' as const, 'answer' as const, 'decline' as const, 'repeat' as const),
      which: fc.nat(5),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      at: fc.integer({ min: 1, max: 12 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('lease' as const, 'wake' as const, 'forget' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('expire' as const, 'cancel' as const, 'deadline' as const) }),
  },
);

const scenario = fc.record({
  turns: fc.array(fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  }),
  /** Steps of one round happen at once. */
  rounds: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 10 }),
  /** How many ticks each call of the ledger takes, over and over. */
  delays: fc.array(fc.nat(6), { minLength: 1, maxLength: 20 }),
  /** Whether nobody knows what the n-th execution did, over and over. */
  doubts: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
  budgets: fc.record({
    maxTurns: fc.constantFrom(24, 24, 1, 2),
    maxToolCalls: fc.constantFrom(200, 200, 2, 4),
    announceTurns: fc.constantFrom(0, 24),
  }),
});

/** Every call of the ledger takes some ticks before and after its transaction, so that things overlap. */
function slowDown(engine: TestEngine, delays: readonly number[]): void {
  let turn = 0;
  const pause = async () => {
    turn += 1;
    for (let tick = delays[turn % delays.length] ?? 0; tick > 0; tick -= 1) await Promise.resolve();
  };
  for (const name of ['transact', 'claimRun', 'findInterrupt', 'loadTail'] as const) {
    const method = engine.ledger[name].bind(engine.ledger) as (...parts: unknown[]) => Promise<unknown>;
    Object.assign(engine.ledger, {
      [name]: async (...parts: unknown[]) => {
        await pause();
        const result = await method(...parts);
        await pause();
        return result;
      },
    });
  }
}

/** Some executions take effect and bring no outcome, as when a connection breaks. */
function loseOutcomes(engine: TestEngine, doubts: readonly boolean[]): void {
  const execute = engine.tools.execute.bind(engine.tools);
  let turn = 0;
  engine.tools.execute = async (...parts) => {
    turn += 1;
    const outcome = await execute(...parts);
    if (!doubts[turn % doubts.length]) return outcome;
    return { kind: 'unknown', error: { code: 'connection_lost', message: 'The connection broke.' } };
  };
}

/** What people say when nothing goes wrong. A question is answered as the one who has looked it up would. */
const KINDLY = {
  confirmation: { type: 'approve' },
  component: { type: 'submit', value: 1 },
  question: { type: 'resolve', outcome: 'happened' },
  frontend: { type: 'decline' },
} as const;

class Play {
  readonly accepted = new Map<string, { requestId: string; response: unknown }>();
  private requests = 0;

  constructor(
    readonly engine: TestEngine,
    readonly runId: string,
  ) {}

  async take(step: Step): Promise<void> {
    const { engine, runId } = this;
    switch (step.do) {
      case 'work':
        return this.work(engine.worker());
      case 'crash': {
        const worker = engine.worker();
        worker.life.dieAt(step.at, step.when);
        return this.work(worker);
      }
      case 'cancel':
        return engine.cancel(runId);
      case 'expire':
        engine.clock.advance(61_000);
        return engine.sweep();
      case 'deadline':
        engine.clock.advance(MOST_SECONDS * 1000);
        return engine.sweep();
      case 'lease':
        return engine.afterLease();
      case 'wake':
        return engine.scheduler.wake(engine.tenant, (await engine.record(runId)).run.id);
      case 'forget':
        return engine.store.clear();
      case 'rules':
        engine.config = {
          ...engine.config,
          tools: { ...engine.config.tools, permissions: step.permissions },
        };
        return engine.clock.advance(1_001);
      case 'answer':
      case 'decline':
        return this.answer(step.which, step.do === 'decline');
      case 'repeat':
        return this.repeat(step.which);
    }
  }

  /** One job: a worker that takes over a run while another one still has it finds nothing to claim. */
  private async work(worker: EngineWorker): Promise<void> {
    await worker.advance((await this.engine.record(this.runId)).run.id);
  }

  /** Answers any interrupt that ever was, open or not. */
  private async answer(which: number, decline: boolean): Promise<void> {
    const { interrupts } = await this.engine.record(this.runId);
    const interrupt = interrupts[which % Math.max(1, interrupts.length)];
    if (!interrupt) return;
    this.requests += 1;
    const requestId = `request-of-the-play-${this.requests}`;
    const clientId = `page-${which % 2}-of-the-play`;
    const says = {
      confirmation: {
        type: 'approve',
        ...(which % 2 === 0 ? { arguments: { requestId } } : {}),
        ...(interrupt.payload.kind === 'confirmation' && interrupt.payload.remember !== 'never'
          ? { remember: which % 3 === 0 }
          : {}),
      },
      component: { type: 'submit', value: requestId },
      question: { type: 'resolve', outcome: OUTCOMES[which % 3] ?? 'unknown', note: requestId },
      frontend: { type: 'result', clientId, value: requestId },
    } as const;
    try {
      // Whichever page comes first runs it; some only hold it, and are never heard of again.
      if (interrupt.kind === 'frontend' && !decline) {
        await this.engine.lease(interrupt.id, clientId);
        if (which % 3 === 2) return;
      }
      const response =
        interrupt.kind === 'callback'
          ? await this.engine.callback(interrupt.id, requestId)
          : await this.engine.answer(
              interrupt.id,
              decline && interrupt.kind !== 'question'
                ? { type: 'decline', reason: requestId }
                : says[interrupt.kind],
              requestId,
            );
      expect(this.accepted.has(interrupt.id), `${interrupt.id} was answered twice`).toBe(false);
      this.accepted.set(interrupt.id, {
        requestId: interrupt.kind === 'callback' ? '' : requestId,
        response,
      });
    } catch (error) {
      if (!PlinthError.isInstance(error)) throw error;
      expect(['interrupt_already_answered', 'interrupt_closed', 'interrupt_leased']).toContain(error.code);
    }
  }

  /** The same request once more: the same response. */
  private async repeat(which: number): Promise<void> {
    const [interruptId, first] = [...this.accepted][which % Math.max(1, this.accepted.size)] ?? [];
    if (!interruptId || !first || first.requestId === '') return;
    expect(
      await this.engine
        .answer(interruptId, { type: 'decline' }, first.requestId)
        .catch((error: unknown) => error),
    ).toEqual(first.response);
  }

  /** The world becomes kind: workers live, people answer. The run must come to its end. */
  async finish(): Promise<void> {
    for (let round = 0; round < 40; round += 1) {
      await this.engine.afterLease();
      await this.engine.work();
      if (await this.engine.ended(this.runId)) return;
      for (const wait of await this.engine.waits(this.runId)) {
        // A callback that was just given closes the question about its job.
        if (!(await this.engine.waits(this.runId)).some(({ id }) => id === wait.id)) continue;
        if (wait.kind === 'callback') await this.engine.callback(wait.id);
        else await this.engine.answer(wait.id, KINDLY[wait.kind]);
      }
    }
    throw new Error('the run does not end');
  }
}

async function playScenario({
  turns,
  rounds,
  delays,
  doubts,
  budgets,
}: {
  turns: string[][];
  rounds: Step[][];
  delays: number[];
  doubts: boolean[];
  budgets: Partial<TestEngine['config']['budgets']>;
}): Promise<void> {
  const engine = startEngine({
    tools: TOOLS,
    model: [
      ...turns.map((names, turn) => ({
        text: ['Turn ', String(turn)],
        calls: names.map((name, n) => ({ name, arguments: { turn, n } })),
      })),
      { text: ['The ', 'end.'] },
    ],
    config: { budgets: { ...budgets, maxRunSeconds: MOST_SECONDS } },
  });
  slowDown(engine, delays);
  loseOutcomes(engine, doubts);
  const { runId, threadId, messageId } = await engine.start('go');
  const play = new Play(engine, runId);
  for (const steps of rounds) await Promise.all(steps.map((step) => play.take(step)));
  await play.finish();
  engine.clock.advance(10_000);
  await engine.sweep();

  expect(await engine.brokenRules(runId)).toEqual([]);
  expect(engine.observer.problems).toEqual([]);
  const record = await engine.record(runId);
  expect(REASONS).toContain(record.run.reason);
  expect(record.turns.length).toBeLessThanOrEqual(budgets.maxTurns ?? 24);
  for (const [interruptId, { requestId }] of play.accepted) {
    const interrupt = record.interrupts.find(({ id }) => id === interruptId);
    expect(interrupt?.state).toBe('answered');
    if (requestId !== '') expect(interrupt?.answerRequestId).toBe(requestId);
  }
  const events = await engine.events(messageId);
  expect(events.reduce(reduceMessage, emptyMessageView(messageId, runId))).toEqual(await engine.view(runId));

  engine.model.script = [{ text: 'ok' }];
  const next = await engine.start('and now?', { threadId });
  await engine.work();
  expect((await engine.view(next.runId)).reason).toBe('final_answer');
}

describe('a run, whatever happens to it', () => {
  it('ends once, with one result for each call, one answer for each wait, and no side effect twice', async () => {
    await fc.assert(fc.asyncProperty(scenario, playScenario), {
      numRuns: Number(process.env.PLINTH_PROPERTY_RUNS ?? 60),
    });
  }, 120_000);
});
