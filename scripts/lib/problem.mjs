/** A problem with the set-up of this machine or checkout. It is told to a person as text, without a stack. */
export class SetupProblem extends Error {
  name = 'SetupProblem';
}
