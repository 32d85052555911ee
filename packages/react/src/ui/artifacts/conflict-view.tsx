import type { ArtifactView } from '@plinth/protocol';
import { Icon } from '../icons.js';
import { useUi } from '../ui-context.js';
import type { Draft } from './draft-store.js';
import { mergeTexts } from './merge-texts.js';
import { TextDiff } from './text-diff.js';
import { useArtifactText } from './use-artifact-text.js';

type ConflictViewProps = {
  draft: Draft;
  newest: ArtifactView;
  onMine: () => void;
  onTheirs: () => void;
  onMerged: (text: string) => void;
};

/** Two changes of one version: both are shown, and the person says what becomes of them. */
export default function ConflictView({ draft, newest, onMine, onTheirs, onMerged }: ConflictViewProps) {
  const { strings } = useUi();
  const theirs = useArtifactText(newest);
  const base = useArtifactText({ ...newest, version: draft.baseVersion });
  const names = { mine: strings.yourVersion, theirs: strings.versionNumber(newest.version) };
  if (theirs.failed || base.failed)
    return (
      <div className="plinth-workspace-empty" role="alert">
        <Icon name="alert" />
        <p>{strings.artifactFailed}</p>
        <button
          type="button"
          className="plinth-button"
          onClick={() => {
            theirs.retry();
            base.retry();
          }}
        >
          {strings.tryAgain}
        </button>
      </div>
    );
  if (theirs.text === null || base.text === null)
    return <span className="plinth-artifact-loading" role="status" aria-label={strings.artifactLoading} />;
  const texts = { base: base.text, mine: draft.text, theirs: theirs.text };
  return (
    <section className="plinth-conflict" aria-label={strings.conflictTitle}>
      <h2>{strings.conflictTitle}</h2>
      <p>{strings.conflictHint}</p>
      <div className="plinth-conflict-choices">
        <button
          type="button"
          className="plinth-button plinth-button--primary"
          onClick={() => onMerged(mergeTexts(texts, names).text)}
        >
          {strings.mergeBoth}
        </button>
        <button type="button" className="plinth-button" onClick={onMine}>
          {strings.keepMine}
        </button>
        <button type="button" className="plinth-button" onClick={onTheirs}>
          {strings.takeTheirs}
        </button>
      </div>
      <TextDiff left={draft.text} right={theirs.text} leftName={names.mine} rightName={names.theirs} />
    </section>
  );
}
