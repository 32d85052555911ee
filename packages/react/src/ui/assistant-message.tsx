import { isEnded, type PlinthClientError, type ThreadSession } from '@plinth/client';
import type { MessagePart, MessageView } from '@plinth/protocol';
import { useState } from 'react';
import { CallItem } from './call-item.js';
import { Icon } from './icons.js';
import { Markdown } from './markdown.js';
import { MessageActions } from './message-actions.js';
import { useUi } from './ui-context.js';

type AssistantMessageProps = {
  view: MessageView;
  session: ThreadSession;
  /** A run of the thread is active. */
  busy: boolean;
  onOpenArtifact: ((artifactId: string) => void) | undefined;
};

/** The one message of a run: its texts and tool calls in the order in which they came. */
export function AssistantMessage({ view, session, busy, onOpenArtifact }: AssistantMessageProps) {
  const { strings } = useUi();
  const [error, setError] = useState<PlinthClientError | null>(null);
  // A quick answer may have ended before its first word is drawn.
  const [isLive] = useState(!isEnded(view.status));
  const retry = () => {
    setError(null);
    session.retry(view.messageId).catch(setError);
  };
  const working = view.status === 'queued' || view.status === 'running';
  return (
    <article
      className="plinth-message plinth-message--assistant"
      aria-label={strings.assistant}
      aria-busy={working}
    >
      {view.parts.map((part) => (
        <Part
          key={keyOf(part)}
          part={part}
          view={view}
          isLive={isLive}
          session={session}
          onOpenArtifact={onOpenArtifact}
        />
      ))}
      {working && isSilent(view) && (
        <p className="plinth-thinking">
          <span className="plinth-dots" aria-hidden="true">
            <span />
            <span />
            <span />
          </span>
          {strings.thinking}
        </p>
      )}
      <Ending view={view} />
      {isEnded(view.status) && (
        <MessageActions session={session} messageId={view.messageId} busy={busy} error={error}>
          <button
            type="button"
            className="plinth-action"
            aria-label={strings.answerAgain}
            disabled={busy}
            onClick={retry}
          >
            <Icon name="again" />
          </button>
        </MessageActions>
      )}
    </article>
  );
}

function keyOf(part: MessagePart): string {
  return part.type === 'tool' ? part.callId : `${part.type}-${part.turn}`;
}

/** Nothing on the screen moves at the moment although the run works. */
function isSilent(view: MessageView): boolean {
  const last = view.parts.at(-1);
  if (last?.type === 'text') return last.done;
  if (last?.type !== 'tool') return true;
  const call = view.calls.find((one) => one.callId === last.callId);
  return call === undefined || (call.status !== 'pending' && call.status !== 'started');
}

type PartProps = Omit<AssistantMessageProps, 'busy'> & { part: MessagePart; isLive: boolean };

function Part({ part, view, isLive, session, onOpenArtifact }: PartProps) {
  const { strings } = useUi();
  if (part.type === 'text') return part.text === '' ? null : <Markdown text={part.text} streaming={isLive} />;
  if (part.type === 'reasoning') {
    return (
      <details className="plinth-reasoning">
        <summary>{strings.reasoning}</summary>
        <Markdown text={part.text} streaming={isLive} />
      </details>
    );
  }
  const call = view.calls.find((one) => one.callId === part.callId);
  if (call === undefined || call.visibility === 'internal') return null;
  return (
    <CallItem
      call={call}
      interrupts={view.interrupts}
      artifacts={view.artifacts}
      session={session}
      onOpenArtifact={onOpenArtifact}
    />
  );
}

/** How the run ended, when it was not with an answer. */
function Ending({ view }: { view: MessageView }) {
  const { strings } = useUi();
  if (view.reason === null || view.reason === 'final_answer') return null;
  // A question that closed with the run says the same in its own line.
  const isTold = view.reason === 'superseded' || view.reason === 'cancelled';
  if (
    isTold &&
    view.interrupts.some((interrupt) => interrupt.state === 'closed' && interrupt.kind === 'component')
  )
    return null;
  const failed = view.status === 'failed';
  return (
    <p className={failed ? 'plinth-problem' : 'plinth-ending'} role={failed ? 'alert' : undefined}>
      {failed && <Icon name="alert" />}
      <span>
        {strings.ended[view.reason]}
        {view.error !== null && <span className="plinth-code-name"> {view.error.code}</span>}
      </span>
    </p>
  );
}
