import type { PlinthClientError, ThreadState } from '@plinth/client';
import type { ThreadHandle } from '../use-thread.js';
import { Icon } from './icons.js';
import { ProblemText } from './problem-text.js';
import { useUi } from './ui-context.js';

/** Why a conversation is not there yet, or is not followed any more; nothing when all is well. */
export function LoadProblem({ thread }: { thread: ThreadHandle }) {
  const { strings } = useUi();
  const { phase, error } = thread.state;
  if (phase === 'failed')
    return (
      <div className="plinth-card plinth-card--broken" role="alert">
        <header className="plinth-card-header">
          <Icon name="alert" />
          <h3>{strings.loadFailed}</h3>
        </header>
        {error !== null && (
          <p className="plinth-summary">
            <ProblemText error={error} />
          </p>
        )}
        <div className="plinth-actions">
          <button type="button" className="plinth-button" onClick={thread.reload}>
            {strings.tryAgain}
          </button>
        </div>
      </div>
    );
  const lost = whyLost(thread.state);
  if (lost !== null)
    return (
      <p className="plinth-problem" role="alert">
        <span>
          <ProblemText error={lost} />{' '}
          <button type="button" className="plinth-link" onClick={thread.reload}>
            {strings.tryAgain}
          </button>
        </span>
      </p>
    );
  if (phase !== 'loading' || error === null) return null;
  return (
    <p className="plinth-problem" role="alert">
      <span>
        <ProblemText error={error} /> {strings.tryingAgain}
      </span>
    </p>
  );
}

/** The server has refused to go on telling: what is shown stays, and nothing new comes by itself. */
function whyLost({ phase, connection, error, messages }: ThreadState): PlinthClientError | null {
  if (phase !== 'ready' || connection !== 'idle' || error === null) return null;
  return messages.some((message) => message.error === error) ? null : error;
}
