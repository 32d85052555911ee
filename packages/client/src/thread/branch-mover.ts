import type {
  BranchView,
  ForkThreadRequest,
  MoveHeadRequest,
  RetryRunRequest,
  StartRunResponse,
  ThreadView,
} from '@plinth/protocol';
import { PlinthClientError, toClientError } from '../errors/plinth-client-error.js';
import { createRequestId } from '../http/request-id.js';
import { alreadySending, type MessageSender } from './message-sender.js';
import type { ThreadSession } from './thread-session-api.js';
import type { ChatMessage } from './thread-state.js';
import type { ThreadTools } from './thread-tools.js';

/** Ways through the tree of a thread. Other pages follow by the thread's own events. */
export type BranchMover = Pick<ThreadSession, 'moveHead' | 'showBranch' | 'fork' | 'retry' | 'edit'>;

export function createBranchMover({ http, store, streams }: ThreadTools, sender: MessageSender): BranchMover {
  function threadPath(part: string): string {
    const { threadId } = store.getState();
    if (threadId === null) throw notHere('The thread has no message yet. Send one first.');
    return `/v1/threads/${encodeURIComponent(threadId)}/${part}`;
  }

  function find(messageId: string): ChatMessage {
    const message = store.getState().messages.find(({ id }) => id === messageId);
    if (message?.delivery !== 'sent') throw notHere(`There is no sent message ${messageId} on this path.`);
    return message;
  }

  const moveHead: BranchMover['moveHead'] = async (messageId, { onBusy = 'reject' } = {}) => {
    const body: MoveHeadRequest = { messageId, onBusy };
    const thread = await http.post<ThreadView>(threadPath('head'), body);
    store.dispatch({ type: 'head.moved', messageId });
    return thread;
  };

  async function retryRun(runId: string, body: RetryRunRequest): Promise<StartRunResponse> {
    if (store.getState().sending) throw alreadySending();
    store.dispatch({ type: 'retry.started' });
    const headers = { 'idempotency-key': createRequestId() };
    try {
      const path = `/v1/runs/${encodeURIComponent(runId)}/retry`;
      const response = await http.post<StartRunResponse>(path, body, { headers });
      const at = new Date(streams.timing.now()).toISOString();
      store.dispatch({ type: 'retry.accepted', response, at });
      return response;
    } catch (cause) {
      const error = toClientError(cause, 'The message could not be answered once more. Try again.');
      store.dispatch({ type: 'retry.failed', error });
      throw error;
    }
  }

  return {
    moveHead,
    async showBranch(messageId, options) {
      const path = threadPath(`branches/${encodeURIComponent(messageId)}`);
      const { tipMessageId } = await http.get<BranchView>(path);
      return moveHead(tipMessageId, options);
    },
    async fork(messageId, { title } = {}) {
      const body: ForkThreadRequest = { messageId, ...(title === undefined ? {} : { title }) };
      return http.post<ThreadView>(threadPath('fork'), body);
    },
    async retry(messageId, options = {}) {
      const message = find(messageId);
      if (message.role !== 'assistant') throw notHere(`${messageId} is no answer: name the one to retry.`);
      const { threadId } = store.getState();
      // The messages before a fork are of runs of the thread that was forked: the new answer belongs here.
      return retryRun(message.view.runId, { ...options, ...(threadId === null ? {} : { threadId }) });
    },
    async edit(userMessageId, input) {
      const message = find(userMessageId);
      if (message.role !== 'user') throw notHere(`${userMessageId} was not written by the person.`);
      await moveHead(message.parentId, { onBusy: input.onBusy ?? 'supersede' });
      return sender.send(input);
    },
  };
}

const notHere = (message: string) => new PlinthClientError({ code: 'unknown_message', message });
