import type { MessageView } from '@plinth/protocol';
import { useId, useState } from 'react';
import { useRunContext } from '../use-run-context.js';
import { ModelRequest } from './model-request.js';
import { ReadingProblem } from './reading-problem.js';
import { useInspectorStrings } from './use-inspector-strings.js';
import { useOnTurn } from './use-on-turn.js';
import { useRunRequest } from './use-run-request.js';

/** What the model saw in one turn: the newest one, until another one is chosen. */
export function ModelTab({ view }: { view: MessageView }) {
  const strings = useInspectorStrings();
  const id = useId();
  const { context, error, refresh } = useRunContext(view.runId);
  const [chosen, setChosen] = useState<number | null>(null);
  const turns = context?.turns.map(({ turn }) => turn) ?? [];
  const turn = chosen ?? turns.at(-1) ?? null;
  const request = useRunRequest(view.runId, turn);
  useOnTurn(view, refresh);

  if (error !== null) return <ReadingProblem error={error} onRetry={refresh} />;
  if (context !== null && turn === null)
    return <p className="plinth-inspector-note">{strings.contextEmpty}</p>;
  return (
    <>
      {turn !== null && (
        <div className="plinth-field plinth-model-turn">
          <label htmlFor={`${id}-turn`}>{strings.turnChoice}</label>
          <select
            id={`${id}-turn`}
            value={chosen ?? ''}
            onChange={({ target }) => setChosen(target.value === '' ? null : Number(target.value))}
          >
            <option value="">{strings.newestTurn}</option>
            {turns.map((one) => (
              <option key={one} value={one}>
                {strings.turn(one + 1)}
              </option>
            ))}
          </select>
        </div>
      )}
      {request.error !== null && <ReadingProblem error={request.error} onRetry={request.refresh} />}
      {request.error === null && request.value === null && (
        <p className="plinth-inspector-note" role="status">
          {strings.loading}
        </p>
      )}
      {request.value !== null && (
        <ModelRequest key={`${request.value.runId}/${request.value.turn}`} request={request.value} />
      )}
    </>
  );
}
