import type { ArtifactVersionView, ArtifactView } from '@plinth/protocol';
import { usePlinth } from '../../plinth-provider.js';
import { useUi } from '../ui-context.js';
import type { DocumentHandle } from './use-document.js';
import { useVersionAuthor } from './use-version-author.js';

type ArtifactNoticesProps = {
  document: DocumentHandle;
  isBehind: boolean;
  /** Places that a merge has left for the person. */
  conflicts: number;
  older: ArtifactVersionView | null;
  canCompare: boolean;
  onResolve: () => void;
  onCompare: () => void;
  onShow: (version: null) => void;
};

/** What has happened to the artifact, and what can be done about it. */
export function ArtifactNotices(props: ArtifactNoticesProps) {
  const { document, isBehind, conflicts, older, canCompare, onResolve, onCompare, onShow } = props;
  const { strings } = useUi();
  const plinth = usePlinth();
  const { newest, save } = document;

  const restore = async (version: number) => {
    const bytes = await plinth.artifactBytes(newest.id, { version }).catch(() => null);
    if (bytes !== null && (await document.saveBytes(bytes))) onShow(null);
  };
  return (
    <>
      {older !== null && (
        <div className="plinth-artifact-notice">
          <span>{strings.olderVersion(older.version, newest.version)}</span>
          <NoticeButton label={strings.backToNewest} onClick={() => onShow(null)} />
          {canCompare && <NoticeButton label={strings.compareVersion} onClick={onCompare} />}
          <NoticeButton label={strings.restoreVersion} onClick={() => void restore(older.version)} />
        </div>
      )}
      {isBehind && <ChangedMeanwhile newest={newest} onResolve={onResolve} />}
      {conflicts > 0 && (
        <p className="plinth-artifact-notice plinth-artifact-notice--warning" role="status">
          {strings.conflictsLeft(conflicts)}
        </p>
      )}
      {save.kind === 'failed' && (
        <p className="plinth-artifact-notice plinth-artifact-notice--warning" role="alert">
          {save.tooLarge ? strings.saveTooLarge : strings.saveFailed}
        </p>
      )}
      <p className="plinth-hidden" role="status">
        {save.kind === 'saving' && strings.savingArtifact}
        {save.kind === 'saved' && strings.savedArtifact(save.version)}
      </p>
    </>
  );
}

function ChangedMeanwhile({ newest, onResolve }: { newest: ArtifactView; onResolve: () => void }) {
  const { strings } = useUi();
  const author = useVersionAuthor(newest);
  return (
    <div className="plinth-artifact-notice plinth-artifact-notice--warning" role="alert">
      <span>{strings.changedMeanwhile(author, newest.version)}</span>
      <NoticeButton label={strings.resolveChanges} onClick={onResolve} />
    </div>
  );
}

function NoticeButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="plinth-button plinth-button--small" onClick={onClick}>
      {label}
    </button>
  );
}
