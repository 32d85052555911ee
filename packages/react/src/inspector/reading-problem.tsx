import type { PlinthClientError } from '@plinth/client';
import { useInspectorStrings } from './use-inspector-strings.js';

/** Why nothing can be shown of what the model was sent, and what to do. */
export function ReadingProblem({ error, onRetry }: { error: PlinthClientError; onRetry: () => void }) {
  const strings = useInspectorStrings();
  const isForbidden = error.code === 'forbidden';
  return (
    <div className="plinth-inspector-note" role="alert">
      <p>{isForbidden ? strings.forbidden : strings.contextFailed}</p>
      {isForbidden ? (
        <>
          <p>{strings.forbiddenHint}</p>
          <pre dir="ltr">{'POST /v1/session-tokens\n{ …, "scopes": ["debug"] }'}</pre>
        </>
      ) : (
        <p className="plinth-faint">{error.message}</p>
      )}
      <button type="button" className="plinth-button plinth-button--small" onClick={onRetry}>
        {strings.retry}
      </button>
    </div>
  );
}
