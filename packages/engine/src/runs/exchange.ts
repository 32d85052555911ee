import { addUsage, NO_USAGE, type RunError, type Usage } from '@plinth/protocol';
import type { Unfit } from '../context/plan-context.js';
import type { TurnStream } from '../events/turn-stream.js';
import { ModelError, type ModelGateway, type ModelReply } from '../models/model-gateway.js';
import { ModelQuestion } from './ask-model.js';
import type { PreparedRequest, RequestPreparation } from './prepare-request.js';
import type { StoredTurnContext } from './run.js';
import type { RunSession } from './run-session.js';

export interface Answered {
  kind: 'answered';
  reply: ModelReply;
  prepared: PreparedRequest;
}

export interface DoesNotFit {
  kind: 'unfit';
  error: RunError;
}

const count = (number: number) => number.toLocaleString('en-US');

const SMALLER = 'Start a new thread, or ask for less at once.';

function unfitError({ wall, needed, allowed, fixed }: Unfit): RunError {
  const what = wall === 'bytes' ? 'bytes' : 'tokens';
  return {
    code: 'context_unfit',
    message:
      `The next request to the model would have ${count(needed)} ${what} with all that can be left out left out, and its endpoint takes ` +
      `${count(allowed)}. ${count(fixed)} of them are instructions and tools. ${SMALLER}`,
  };
}

function overflowError(refusal: ModelError, { plan }: PreparedRequest, again: string): RunError {
  const { bytes, tokens, draft } = plan;
  return {
    code: 'context_overflow',
    message:
      `The endpoint of the model refused a request of ${count(bytes)} bytes, about ${count(tokens)} tokens and ` +
      `${draft.pictures.length} images as too large, ${again}. ${SMALLER} It said: ${refusal.message}`,
  };
}

/**
 * One exchange with the model: request and answer. A request that the endpoint refuses as too large is made smaller and sent
 * once more; the same request is never sent again for that.
 */
export class Exchange {
  /** Milliseconds in which the model was waited for. */
  private askedMs = 0;
  private question: ModelQuestion | null = null;
  /** The request that was sent last. */
  asked: { digest: string; context: StoredTurnContext | null } = { digest: '', context: null };

  constructor(
    private readonly session: RunSession,
    private readonly gateway: ModelGateway,
    private readonly preparation: RequestPreparation,
    private readonly stream: TurnStream,
    private readonly price: (usage: Usage) => Usage,
  ) {}

  /** Tokens that no commit has recorded yet: as far as the provider has told them. */
  get spent(): Usage {
    return addUsage(this.preparation.spent, this.question?.spent ?? NO_USAGE);
  }

  get modelMs(): number {
    return this.askedMs + this.preparation.summaryMs;
  }

  /** @throws ModelError that a smaller request does not help against; the signal's reason */
  async run(signal: AbortSignal): Promise<Answered | DoesNotFit> {
    let refused: { prepared: PreparedRequest; refusal: ModelError } | null = null;
    for (;;) {
      const prepared = await this.preparation.prepare(signal);
      if (refused !== null) {
        const isSame = 'request' in prepared && prepared.request.digest === refused.prepared.request.digest;
        if (!('request' in prepared) || isSame) {
          const again = 'and nothing more can be left out of it';
          return { kind: 'unfit', error: overflowError(refused.refusal, refused.prepared, again) };
        }
      }
      if (!('request' in prepared)) return { kind: 'unfit', error: unfitError(prepared) };
      const outcome = await this.ask(prepared, signal);
      if (!(outcome instanceof ModelError)) return { kind: 'answered', reply: outcome, prepared };
      if (refused !== null) {
        const again = 'after it had been made smaller once';
        return { kind: 'unfit', error: overflowError(outcome, prepared, again) };
      }
      refused = { prepared, refusal: outcome };
      await this.question?.withdraw(`model: ${outcome.kind}`);
      if (outcome.overflow !== null) this.preparation.learn(outcome.overflow);
    }
  }

  /** What the model says, or that the request was too large. */
  private async ask(prepared: PreparedRequest, signal: AbortSignal): Promise<ModelReply | ModelError> {
    const { clock } = this.session.ports;
    const { request, context } = prepared;
    this.asked = { digest: request.digest, context };
    this.question = new ModelQuestion(this.session, this.gateway, request, this.stream, this.price);
    const began = clock.now();
    try {
      return await this.question.ask(signal);
    } catch (error) {
      if (error instanceof ModelError && error.kind === 'context_overflow') return error;
      throw error;
    } finally {
      this.askedMs += clock.now() - began;
    }
  }
}
