/**
 * The model of the chaos run. What it does follows from the request alone: the kind of run is read from the
 * person's words, the step from how often it has answered since. So it does the same after any restart.
 */
import { turnsOf } from '../runs/kinds.mjs';

const WORDS = 'tea leaf autumn market poster headline colour paper print window morning river garden'.split(
  ' ',
);

/** Words that differ from run to run, and never for one run. */
function words(count, start) {
  return Array.from({ length: count }, (_, place) => WORDS[(start * 7 + place * 5) % WORDS.length]).join(' ');
}

export const requestText = (number, kind) => `chaos ${number} ${kind}`;

/** Which run a request to the model, or a text, is about; null when it is about none. */
export function runOfText(text) {
  const found = /^chaos (\d+) ([a-z-]+)/.exec(text);
  return found ? { number: Number(found[1]), kind: found[2] } : null;
}

export const chaosScenario = {
  name: 'chaos',
  matches: () => true,
  reply(conversation) {
    const run = runOfText(conversation.lastUserText);
    if (!run) return { text: 'There is nothing to do.' };
    const turns = turnsOf(run.number, run.kind);
    const turn = conversation.turnsSinceLastUser;
    const toolCalls = turns[turn];
    const reasoning =
      run.number % 3 === 0 ? { reasoning: `Step ${turn}: ${words(6, run.number + turn)}.` } : {};
    // Some turns say nothing beside their calls, as models do.
    if (toolCalls)
      return { ...reasoning, ...((run.number + turn) % 4 ? { text: `${words(12, turn)}.` } : {}), toolCalls };
    return { ...reasoning, text: `Done with ${run.number} ${run.kind}: ${words(50, run.number)}.` };
  },
};
