import { imageMessages, resultMessage } from './history-messages.js';
import type { RunState } from './run.js';

/**
 * What the model and its tools have said in this run so far, in the form of the history.
 *
 * @throws Error when a call has no result (the closure invariant; a bug)
 */
export function turnMessages({ turns, calls }: Pick<RunState, 'turns' | 'calls'>): string[] {
  return turns.flatMap((turn) => {
    const ofTurn = calls
      .filter((call) => call.turnIndex === turn.index)
      .sort((a, b) => a.position - b.position);
    const results = ofTurn.map((call) => {
      if (call.resultText === null)
        throw new Error(`call ${call.id} has no result: the model must not be asked yet`);
      return resultMessage(call.providerCallId, call.resultText);
    });
    return [turn.assistantRaw, ...results, ...imageMessages(ofTurn.map(({ images }) => images))];
  });
}
