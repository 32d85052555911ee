import type { ReactNode } from 'react';
import type { ThreadHandle } from '../use-thread.js';
import { Icon } from './icons.js';
import { LoadProblem } from './load-problem.js';
import { MessageItem } from './message-item.js';
import { useUi } from './ui-context.js';
import type { StickToBottom } from './use-stick-to-bottom.js';

type MessageListProps = {
  thread: ThreadHandle;
  /** Key of the agent that answers. */
  agent: string;
  stick: StickToBottom;
  empty: ReactNode;
  onOpenArtifact: ((artifactId: string) => void) | undefined;
};

/** The messages, oldest first. Scrolls along only while the reader is at the end. */
export function MessageList({ thread, agent, stick, empty, onOpenArtifact }: MessageListProps) {
  const { strings } = useUi();
  const { state, session } = thread;
  const busy = state.sending || state.activeMessageId !== null;
  const isEmpty = state.messages.length === 0 && (state.phase === 'new' || state.phase === 'ready');
  return (
    <div className="plinth-messages">
      <div
        className="plinth-scroll"
        ref={stick.box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        tabIndex={0}
        role="log"
        // Told once when an answer is complete: see Announcer.
        aria-live="off"
        aria-label={strings.conversation}
      >
        <div className="plinth-column" ref={stick.content}>
          <h2 className="plinth-unseen">{strings.conversation}</h2>
          {state.olderCursor !== null && (
            <button
              type="button"
              className="plinth-button plinth-button--quiet"
              onClick={() => void thread.loadOlder()}
            >
              {strings.olderMessages}
            </button>
          )}
          {state.messages.map((message) => (
            <MessageItem
              key={message.key}
              message={message}
              session={session}
              agent={agent}
              busy={busy}
              onOpenArtifact={onOpenArtifact}
            />
          ))}
          {isEmpty && empty}
          <LoadProblem thread={thread} />
          {state.phase === 'loading' && <Loading />}
        </div>
      </div>
      {!stick.isAtBottom && (
        <button type="button" className="plinth-jump" onClick={stick.scrollToBottom}>
          <Icon name="down" />
          {strings.jumpToLatest}
        </button>
      )}
    </div>
  );
}

function Loading() {
  const { strings } = useUi();
  return (
    <div className="plinth-skeleton" role="status" aria-label={strings.loading}>
      <span />
      <span />
      <span />
    </div>
  );
}
