import { outputProblem } from '../check-output.js';
import type { OutcomeStage } from './execution-stage.js';

/** A result that is not what the tool promised is a failure, and must not be kept for the next call. */
export const promisedOutput: OutcomeStage = async (outcome, { tool }) => {
  const error = outcome.kind === 'succeeded' ? outputProblem(tool, outcome.value) : null;
  return error === null ? outcome : { kind: 'failed', error };
};
