import { NO_USAGE, type Usage } from '@plinth/protocol';
import type { TurnStream } from '../events/turn-stream.js';
import {
  ModelError,
  type ModelGateway,
  type ModelReply,
  type ModelRequest,
} from '../models/model-gateway.js';
import { replyProblem } from '../models/reply-problem.js';
import { joinDecisions } from './ledger-change.js';
import { recordSpent } from './record-turn.js';
import type { RunSession } from './run-session.js';

/** Milliseconds before the second and the third try of a request that failed for a passing reason. */
const RETRY_DELAYS_MS = [1000, 2000];

/** One request to the model, tried again after a passing failure. */
export class ModelQuestion {
  private told: Usage = NO_USAGE;

  constructor(
    private readonly session: RunSession,
    private readonly gateway: ModelGateway,
    private readonly request: ModelRequest,
    private readonly stream: TurnStream,
    private readonly price: (usage: Usage) => Usage,
  ) {}

  /** Tokens of the try under way, or of the last one: as far as the provider has told them. */
  get spent(): Usage {
    return this.price(this.told);
  }

  /**
   * Asks. What was streamed of a failed try is withdrawn, and its tokens are counted.
   *
   * @throws ModelError of the last try; the signal's reason
   */
  async ask(signal: AbortSignal): Promise<ModelReply> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.attempt(signal);
      } catch (error) {
        const delayMs = RETRY_DELAYS_MS[attempt];
        if (!(error instanceof ModelError && error.retryable) || delayMs === undefined) throw error;
        await this.withdraw(`model: ${error.kind}`);
        await this.session.ports.clock.wait(delayMs, signal);
      }
    }
  }

  private async attempt(signal: AbortSignal): Promise<ModelReply> {
    const handler = {
      onText: (text: string) => this.stream.push('text', text),
      onReasoning: (text: string) => this.stream.push('reasoning', text),
      onUsage: (usage: Usage) => {
        this.told = usage;
      },
    };
    const reply = await this.gateway.stream(this.session.tenant, this.request, handler, signal);
    const problem = replyProblem(reply);
    if (problem !== null) throw new ModelError('bad_response', true, problem);
    return { ...reply, usage: this.price(reply.usage) };
  }

  /** Takes back what was streamed of the last try, and counts its tokens. */
  async withdraw(why: string): Promise<void> {
    const { session, stream } = this;
    await stream.close();
    const turn = session.state.turns.length;
    const reset = { changes: [], events: [{ type: 'message.reset' as const, turn, why }] };
    const spent = this.spent;
    this.told = NO_USAGE;
    await session.commit(joinDecisions([reset, recordSpent(session, spent)]));
    stream.reset();
  }
}
