import type { Answer, AnswerRequest, AnswerResponse } from '@plinth/protocol';
import { toClientError } from '../errors/plinth-client-error.js';
import { createRequestId } from '../http/request-id.js';
import type { ThreadTools } from './thread-tools.js';

/** Gives one answer. Only one per interrupt is under way; who asks again meanwhile gets the same promise. */
export type AnswerInterrupt = (interruptId: string, answer: Answer) => Promise<AnswerResponse>;

export function createInterruptAnswerer({ http, store, streams }: ThreadTools): AnswerInterrupt {
  const underWay = new Map<string, Promise<AnswerResponse>>();
  /** The last request of each interrupt: the same answer again is the same request, and gets its first response. */
  const lastRequests = new Map<string, AnswerRequest>();

  function toRequest(interruptId: string, answer: Answer): AnswerRequest {
    const last = lastRequests.get(interruptId);
    const request = last && isSame(last.answer, answer) ? last : { requestId: createRequestId(), answer };
    lastRequests.set(interruptId, request);
    return request;
  }

  async function give(interruptId: string, answer: Answer): Promise<AnswerResponse> {
    store.dispatch({ type: 'answer.started', interruptId });
    const path = `/v1/interrupts/${encodeURIComponent(interruptId)}/answer`;
    const response = await http
      .post<AnswerResponse>(path, toRequest(interruptId, answer))
      .catch((cause: unknown) => {
        const error = toClientError(cause, 'The answer was not sent. Try again.');
        const at = new Date(streams.timing.now()).toISOString();
        store.dispatch({ type: 'answer.refused', interruptId, error, at });
        throw error;
      });
    store.dispatch({ type: 'answer.accepted', interruptId, at: response.answeredAt });
    return response;
  }

  return (interruptId, answer) => {
    const current = underWay.get(interruptId);
    if (current) return current;
    const given = give(interruptId, answer).finally(() => underWay.delete(interruptId));
    underWay.set(interruptId, given);
    return given;
  };
}

const isSame = (a: Answer, b: Answer): boolean => JSON.stringify(a) === JSON.stringify(b);
