import { argumentProblem } from '../call-arguments.js';
import { CONTINUE, type Stage } from './stage.js';

/** The arguments, also those that a person has edited, fit the tool's schema. */
export const validation: Stage = (call, { tool }) => {
  const message = argumentProblem(call, tool);
  return message === null ? CONTINUE : { do: 'answer', code: 'invalid_arguments', message };
};
