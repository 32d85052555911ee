import type { ArtifactView, ToolCallView } from '@plinth/protocol';
import { ArtifactChip } from './artifacts/artifact-chip.js';
import { Icon, type IconName } from './icons.js';
import { useUi } from './ui-context.js';

type ToolCardProps = {
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
export function ToolCard({ call, waiting, artifacts, onOpenArtifact }: ToolCardProps) {
  const { strings, labels } = useUi();
  const title = labels[call.tool] ?? call.title;
  const open = call.status === 'pending' || call.status === 'started';
  const products = artifacts.filter((artifact) => call.artifactIds.includes(artifact.id));
  return (
    <section
      className={`plinth-card plinth-tool plinth-tool--${call.status}`}
      aria-label={title}
      aria-busy={open}
    >
      <header className="plinth-card-header">
        {open ? <span className="plinth-spinner" aria-hidden="true" /> : <Icon name={ICON[call.status]} />}
        <h3 dir="auto">{title}</h3>
        <span className="plinth-tag">{strings.callStatus[call.status]}</span>
      </header>
      {open && (waiting || call.progress !== null) && (
        <Progress call={call} title={title} waiting={waiting} />
      )}
      {call.error !== null && call.status !== 'declined' && (
        <p className="plinth-problem" dir="auto">
          {call.error.code === 'document_changed' ? strings.documentChanged : call.error.message}
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
  const value = call.progress?.value ?? null;
  const percent = value === null ? undefined : Math.round(value * 100);
  return (
    <div className="plinth-progress">
      <progress aria-label={strings.progress(title)} max={100} value={percent} />
      <p>
        <span>{call.progress?.message ?? (waiting ? strings.waitingForJob : '')}</span>
        {percent !== undefined && <span className="plinth-percent">{percent}%</span>}
      </p>
    </div>
  );
}
