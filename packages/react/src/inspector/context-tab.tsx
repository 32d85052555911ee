import type { MessageView } from '@plinth/protocol';
import { useState } from 'react';
import { useRunContext } from '../use-run-context.js';
import { type Scale, suitableScale } from './context-bars.js';
import { ContextLegend } from './context-legend.js';
import { ContextTurn } from './context-turn.js';
import { ReadingProblem } from './reading-problem.js';
import { useInspectorStrings } from './use-inspector-strings.js';
import { useOnTurn } from './use-on-turn.js';

/** What the model was sent in the turns of the run of this message, and again with each turn. */
export function ContextTab({ view }: { view: MessageView }) {
  const strings = useInspectorStrings();
  const { context, error, refresh } = useRunContext(view.runId);
  const [chosen, setChosen] = useState<Scale | null>(null);
  useOnTurn(view, refresh);

  if (error !== null) return <ReadingProblem error={error} onRetry={refresh} />;
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
