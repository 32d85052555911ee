import type { PlinthClientError } from '@plinth/client';
import { type ProblemKind, problemKind } from './problem-kind.js';
import { useUi } from './ui-context.js';

/** Those that a person cannot help: the code is for the people whom they tell. */
const SHOWS_CODE: ReadonlySet<ProblemKind> = new Set(['refused', 'unavailable', 'forbidden']);

/** What went wrong with a call, and what the person can do about it. */
export function ProblemText({ error }: { error: PlinthClientError }) {
  const { strings } = useUi();
  if (error.code === 'thread_busy') return strings.threadBusy;
  const kind = problemKind(error);
  return (
    <>
      {strings.problems[kind]}
      {SHOWS_CODE.has(kind) && <span className="plinth-code-name"> {error.code}</span>}
    </>
  );
}
