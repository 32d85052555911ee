import {
  type Branches,
  type PlinthClientError,
  selectBranches,
  type ThreadSession,
  type ThreadState,
} from '@plinth/client';
import { useMemo } from 'react';
import { useThreadSelection } from '../use-thread-session.js';
import { Icon } from './icons.js';
import { useUi } from './ui-context.js';

type BranchSwitcherProps = {
  session: ThreadSession;
  messageId: string;
  /** A run is active: the branch stays as it is until the run has ended. */
  busy: boolean;
  onRefused: (error: PlinthClientError | null) => void;
};

/** Goes from one version of a message to the next. Not there while there is only one. */
export function BranchSwitcher({ session, messageId, busy, onRefused }: BranchSwitcherProps) {
  const { strings } = useUi();
  const select = useMemo(() => (state: ThreadState) => selectBranches(state, messageId), [messageId]);
  const branches: Branches | null = useThreadSelection(session, select);
  if (branches === null) return null;
  const { position, count, previousId, nextId } = branches;
  const goTo = (id: string | null) => {
    onRefused(null);
    if (id !== null) session.showBranch(id).catch(onRefused);
  };
  return (
    <span className="plinth-branches">
      <button
        type="button"
        className="plinth-action"
        aria-label={strings.previousVersion}
        disabled={busy || previousId === null}
        onClick={() => goTo(previousId)}
      >
        <Icon name="back" />
      </button>
      <span>
        <span aria-hidden="true">{`${position}/${count}`}</span>
        <span className="plinth-unseen">{strings.versionOf(position, count)}</span>
      </span>
      <button
        type="button"
        className="plinth-action"
        aria-label={strings.nextVersion}
        disabled={busy || nextId === null}
        onClick={() => goTo(nextId)}
      >
        <Icon name="forward" />
      </button>
    </span>
  );
}
