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

/** Failures after which another request, sent once, may be answered. */
const REMEDIED = new Set<ModelError['kind']>(['context_overflow', 'images_unfetched']);

const sendsAddresses = ({ plan }: PreparedRequest): boolean =>
  plan.draft.pictures.some(({ picture }) => picture?.url != null);

const SMALLER = 'Start a new thread, or ask for less at once.';

/** @param why said before the advice */
function unfitError({ wall, needed, allowed, fixed }: Unfit, why = ''): RunError {
  const what = wall === 'bytes' ? 'bytes' : 'tokens';
  return {
    code: 'context_unfit',
    message:
      `The next request to the model would have ${count(needed)} ${what} with all that can be left out left out, and its endpoint takes ` +
      `${count(allowed)}. ${count(fixed)} of them are instructions and tools. ${why}${SMALLER}`,
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
 * once more, and one whose pictures it cannot fetch is sent once more with them inside; the same request is never sent again
 * for that.
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

  /** @throws ModelError that no other request helps against; the signal's reason */
  async run(signal: AbortSignal): Promise<Answered | DoesNotFit> {
    let refused: { prepared: PreparedRequest; refusal: ModelError } | null = null;
    for (;;) {
      const prepared = await this.preparation.prepare(signal);
      if (refused !== null) {
        const isSame = 'request' in prepared && prepared.request.digest === refused.prepared.request.digest;
        if (!('request' in prepared) && refused.refusal.kind === 'images_unfetched')
          return { kind: 'unfit', error: unfitError(prepared, `${refused.refusal.message} `) };
        if (!('request' in prepared) || isSame) {
          const again = 'and nothing more can be left out of it';
          return { kind: 'unfit', error: overflowError(refused.refusal, refused.prepared, again) };
        }
      }
      if (!('request' in prepared)) return { kind: 'unfit', error: unfitError(prepared) };
      if (refused !== null) this.countReplaced(refused.refusal);
      const outcome = await this.ask(prepared, signal);
      if (!(outcome instanceof ModelError)) return { kind: 'answered', reply: outcome, prepared };
      const isUnfetched = outcome.kind === 'images_unfetched';
      if (isUnfetched && (refused !== null || !sendsAddresses(prepared))) throw outcome;
      if (refused !== null) {
        const again =
          refused.refusal.kind === 'images_unfetched'
            ? 'after its images had been put into it'
            : 'after it had been made smaller once';
        return { kind: 'unfit', error: overflowError(outcome, prepared, again) };
      }
      refused = { prepared, refusal: outcome };
      await this.question?.withdraw(`model: ${outcome.kind}`);
      if (isUnfetched) this.preparation.sendImagesInline();
      else if (outcome.overflow !== null) this.preparation.learn(outcome.overflow);
    }
  }

  private countReplaced({ kind }: ModelError): void {
    const { tenant, ports } = this.session;
    const why = kind === 'images_unfetched' ? kind : 'too_large';
    ports.observer.requestReplaced(tenant, { endpoint: this.preparation.endpoint, why });
  }

  /** What the model says, or a refusal that another request may help against. */
  private async ask(prepared: PreparedRequest, signal: AbortSignal): Promise<ModelReply | ModelError> {
    const { tenant, ports } = this.session;
    const { clock } = ports;
    const { request, context, plan } = prepared;
    const { endpoint } = this.preparation;
    ports.observer.requestSent(tenant, { endpoint, bytes: plan.bytes, tokens: plan.tokens });
    this.asked = { digest: request.digest, context };
    this.question = new ModelQuestion(this.session, this.gateway, request, this.stream, this.price);
    const began = clock.now();
    try {
      return await this.question.ask(signal);
    } catch (error) {
      if (error instanceof ModelError && REMEDIED.has(error.kind)) return error;
      throw error;
    } finally {
      this.askedMs += clock.now() - began;
    }
  }
}
