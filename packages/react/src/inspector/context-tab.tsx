import type { PlinthClientError } from '@plinth/client';
import type { MessageView } from '@plinth/protocol';
import { useEffect, useRef, useState } from 'react';
import { useRunContext } from '../use-run-context.js';
import { type Scale, suitableScale } from './context-bars.js';
import { ContextLegend } from './context-legend.js';
import { ContextTurn } from './context-turn.js';
import { useInspectorStrings } from './use-inspector-strings.js';

/** What the model was sent in the turns of the run of this message, and again with each turn. */
export function ContextTab({ view }: { view: MessageView }) {
  const strings = useInspectorStrings();
  const { context, error, refresh } = useRunContext(view.runId);
  const [chosen, setChosen] = useState<Scale | null>(null);
  useOnTurn(view, refresh);

  if (error !== null) return <ContextProblem error={error} onRetry={refresh} />;
  if (context === null)
    return (
      <p className="plinth-inspector-note" role="status">
        {strings.loading}
      </p>
    );
  const { turns, model } = context;
  if (turns.length === 0) return <p className="plinth-inspector-note">{strings.contextEmpty}</p>;
  const scale = chosen ?? suitableScale(turns);
  return (
    <>
      {model !== null && <p className="plinth-context-model">{strings.model(model)}</p>}
      <ContextLegend turns={turns} scale={scale} onScale={setChosen} />
      {turns.map((turn) => (
        <ContextTurn key={turn.turn} turn={turn} turns={turns} scale={scale} />
      ))}
    </>
  );
}

/** Calls when a turn was counted, a call has come, or the run has gone on or ended. */
function useOnTurn({ status, usage, calls }: MessageView, call: () => void): void {
  const beat = `${status} ${usage.inputTokens} ${usage.outputTokens} ${calls.length}`;
  const known = useRef(beat);
  useEffect(() => {
    if (known.current === beat) return;
    known.current = beat;
    call();
  }, [beat, call]);
}

function ContextProblem({ error, onRetry }: { error: PlinthClientError; onRetry: () => void }) {
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
