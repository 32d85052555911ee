import type { ArtifactView, ToolCallView } from '@plinth/protocol';
import type { Ref } from 'react';
import { ArtifactChip } from './artifacts/artifact-chip.js';
import { Icon, type IconName } from './icons.js';
import { useUi } from './ui-context.js';
import { useAmounts } from './use-amounts.js';

type ToolCardProps = {
  ref?: Ref<HTMLElement>;
  call: ToolCallView;
  /** The call waits for a remote job. */
  waiting: boolean;
  artifacts: readonly ArtifactView[];
  onOpenArtifact: ((artifactId: string) => void) | undefined;
};

const ICON: Record<ToolCallView['status'], IconName> = {
  pending: 'clock',
  started: 'clock',
  succeeded: 'check',
  failed: 'alert',
  declined: 'cross',
  expired: 'clock',
  cancelled: 'stop',
  superseded: 'cross',
  unknown: 'alert',
};

/** One tool call: what it does, how far it is, what came of it. */
export function ToolCard({ ref, call, waiting, artifacts, onOpenArtifact }: ToolCardProps) {
  const { strings, labels } = useUi();
  // Nothing went wrong: a person was quicker, and the model reads what they made of it.
  const isStale = call.status === 'failed' && call.error?.code === 'document_changed';
  const title = labels[call.tool] ?? call.title;
  const open = call.status === 'pending' || call.status === 'started';
  const products = artifacts.filter((artifact) => call.artifactIds.includes(artifact.id));
  return (
    <section
      ref={ref}
      // The keyboard comes here from a question about the call that is answered.
      tabIndex={-1}
      className={`plinth-card plinth-tool plinth-tool--${isStale ? 'stale' : call.status}`}
      aria-label={title}
      aria-busy={open}
    >
      <header className="plinth-card-header">
        {open ? (
          <span className="plinth-spinner" aria-hidden="true" />
        ) : (
          <Icon name={isStale ? 'again' : ICON[call.status]} />
        )}
        <h3 dir="auto">{title}</h3>
        <span className="plinth-tag">
          {isStale ? strings.documentChanged : strings.callStatus[call.status]}
        </span>
      </header>
      {open && (waiting || call.progress !== null) && (
        <Progress call={call} title={title} waiting={waiting} />
      )}
      {isStale && <p className="plinth-summary">{strings.documentChangedHint}</p>}
      {call.error !== null && call.status !== 'declined' && !isStale && (
        <p className="plinth-problem" dir="auto">
          {call.error.message}
        </p>
      )}
      {call.summary !== null && call.visibility === 'chat' && (
        <p className="plinth-summary" dir="auto">
          {call.summary}
        </p>
      )}
      {products.length > 0 && (
        <div className="plinth-chips">
          {products.map((artifact) => (
            <ArtifactChip key={artifact.id} artifact={artifact} onOpen={onOpenArtifact} />
          ))}
        </div>
      )}
    </section>
  );
}

function Progress({ call, title, waiting }: { call: ToolCallView; title: string; waiting: boolean }) {
  const { strings } = useUi();
  const amounts = useAmounts();
  const value = call.progress?.value ?? null;
  return (
    <div className="plinth-progress">
      <progress aria-label={strings.progress(title)} max={1} value={value ?? undefined} />
      <p>
        <span>{call.progress?.message ?? (waiting ? strings.waitingForJob : '')}</span>
        {value !== null && <span className="plinth-percent">{amounts.wholeShare(value)}</span>}
      </p>
    </div>
  );
}
