import type { Plinth } from '@plinth/client';
import type { MessageView } from '@plinth/protocol';
import { until } from '@plinth/testkit/system';

/** The thread as this page shows it, followed until `leave`. */
export function showThread(plinth: Plinth, threadId: string) {
  const session = plinth.thread(threadId);
  const leave = session.subscribe(() => undefined);
  const views = () =>
    session.getSnapshot().messages.flatMap((message) => (message.role === 'assistant' ? [message.view] : []));
  const ended = () => until('the run ends', () => views().at(-1)?.status === 'completed', 90_000);
  return { session, leave, views, ended };
}

export const textOf = (view: MessageView | undefined): string =>
  view?.parts.map((part) => ('text' in part ? part.text : '')).join('') ?? '';
