import type { ThreadSession } from '@plinth/client';
import type { MessagePart, MessageView } from '@plinth/protocol';
import { CallItem } from './call-item.js';
import { Icon } from './icons.js';
import { Markdown } from './markdown.js';
import { useUi } from './ui-context.js';

type AssistantMessageProps = {
  view: MessageView;
  session: ThreadSession;
  onOpenArtifact: ((artifactId: string) => void) | undefined;
};

/** The one message of a run: its texts and tool calls in the order in which they came. */
export function AssistantMessage({ view, session, onOpenArtifact }: AssistantMessageProps) {
  const { strings } = useUi();
  const working = view.status === 'queued' || view.status === 'running';
  return (
    // While it is busy, a screen reader waits for the whole answer instead of reading single words.
    <article
      className="plinth-message plinth-message--assistant"
      aria-label={strings.assistant}
      aria-busy={working}
    >
      {view.parts.map((part) => (
        <Part key={keyOf(part)} part={part} view={view} session={session} onOpenArtifact={onOpenArtifact} />
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

type PartProps = AssistantMessageProps & { part: MessagePart };

function Part({ part, view, session, onOpenArtifact }: PartProps) {
  const { strings } = useUi();
  if (part.type === 'text') return part.text === '' ? null : <Markdown text={part.text} />;
  if (part.type === 'reasoning') {
    return (
      <details className="plinth-reasoning">
        <summary>{strings.reasoning}</summary>
        <Markdown text={part.text} />
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
