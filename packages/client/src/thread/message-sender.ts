import type { StartRunRequest, StartRunResponse } from '@plinth/protocol';
import { PlinthClientError, toClientError } from '../errors/plinth-client-error.js';
import { createRequestId } from '../http/request-id.js';
import { toChatAttachment, toInput } from './attachments.js';
import type { SendInput, ThreadSession } from './thread-session-api.js';
import type { ThreadTools } from './thread-tools.js';

/** Sends messages, one at a time, and keeps what is needed to send a failed one again. */
export type MessageSender = Pick<ThreadSession, 'send' | 'resend' | 'discard'>;

type Draft = { input: SendInput; idempotencyKey: string };

export function createMessageSender({ http, store, streams }: ThreadTools): MessageSender {
  const drafts = new Map<string, Draft>();
  const at = () => new Date(streams.timing.now()).toISOString();

  function post({ input, idempotencyKey }: Draft): Promise<StartRunResponse> {
    const { threadId } = store.getState();
    const path = threadId === null ? '/v1/runs' : `/v1/threads/${encodeURIComponent(threadId)}/runs`;
    const { text, agent, onBusy, attachments = [] } = input;
    const withMessage = attachments.length > 0 ? { attachments: attachments.map(toInput) } : {};
    const body: StartRunRequest = {
      agent,
      input: { text, ...withMessage },
      ...(onBusy ? { onBusy } : {}),
    };
    return http.post<StartRunResponse>(path, body, { headers: { 'idempotency-key': idempotencyKey } });
  }

  async function deliver(key: string, draft: Draft): Promise<StartRunResponse> {
    if (store.getState().sending) throw alreadySending();
    drafts.set(key, draft);
    const { text, attachments = [] } = draft.input;
    const shown = attachments.map(toChatAttachment);
    store.dispatch({ type: 'send.started', key, text, attachments: shown, at: at() });
    const response = await post(draft).catch((cause: unknown) => {
      const error = toClientError(cause, 'The message was not sent. Try again.');
      store.dispatch({ type: 'send.failed', key, error });
      throw error;
    });
    drafts.delete(key);
    store.dispatch({ type: 'send.accepted', key, response, at: at() });
    return response;
  }

  return {
    send: (input) => deliver(`local-${createRequestId()}`, { input, idempotencyKey: createRequestId() }),
    async resend(messageKey) {
      const draft = drafts.get(messageKey);
      if (!draft) throw unknownMessage(messageKey);
      return deliver(messageKey, draft);
    },
    discard(messageKey) {
      drafts.delete(messageKey);
      store.dispatch({ type: 'send.discarded', key: messageKey });
    },
  };
}

export function alreadySending(): PlinthClientError {
  return new PlinthClientError({
    code: 'send_in_progress',
    message: 'Another message is being sent. Wait for it, then send this one.',
  });
}

function unknownMessage(key: string): PlinthClientError {
  return new PlinthClientError({
    code: 'unknown_message',
    message: `There is no failed message with the key ${key}. Send it anew.`,
  });
}
