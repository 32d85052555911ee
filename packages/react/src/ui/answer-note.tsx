import type { InterruptStatus } from '@plinth/client';
import { useUi } from './ui-context.js';

/** Whether an answer is on its way; the controls that gave it are locked meanwhile. */
export function isUnderWay(status: InterruptStatus): boolean {
  return status === 'sending' || status === 'queued';
}

/** Says of an answer that did not get through that it is kept, and sent by itself. */
export function AnswerNote({ status }: { status: InterruptStatus }) {
  const { strings } = useUi();
  if (status !== 'queued') return null;
  return (
    <p className="plinth-note" role="status">
      {strings.answerQueued}
    </p>
  );
}
