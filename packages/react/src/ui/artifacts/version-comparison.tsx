import type { ArtifactView } from '@plinth/protocol';
import { Icon } from '../icons.js';
import { useUi } from '../ui-context.js';
import { TextDiff } from './text-diff.js';
import { useArtifactText } from './use-artifact-text.js';

type VersionComparisonProps = { older: ArtifactView; newest: ArtifactView; onClose: () => void };

/** An older version beside the newest. */
export default function VersionComparison({ older, newest, onClose }: VersionComparisonProps) {
  const { strings } = useUi();
  const [left, right] = [useArtifactText(older), useArtifactText(newest)];
  if (left.failed || right.failed)
    return (
      <div className="plinth-workspace-empty" role="alert">
        <Icon name="alert" />
        <p>{strings.artifactFailed}</p>
      </div>
    );
  if (left.text === null || right.text === null)
    return <span className="plinth-artifact-loading" role="status" aria-label={strings.artifactLoading} />;
  return (
    <section className="plinth-conflict" aria-label={strings.compareVersion}>
      <div className="plinth-conflict-choices">
        <button type="button" className="plinth-button plinth-button--small" onClick={onClose}>
          {strings.closeComparison}
        </button>
      </div>
      <TextDiff
        left={left.text}
        right={right.text}
        leftName={strings.versionNumber(older.version)}
        rightName={strings.versionNumber(newest.version)}
      />
    </section>
  );
}
