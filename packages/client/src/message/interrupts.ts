import type { AnsweredBy, InterruptClosedWhy, InterruptLeaseView, InterruptView } from '@plinth/protocol';
import { replaceAt } from './immutable-list.js';

/** Adds an interrupt. One that is known keeps its state: an answer never becomes an open question again. */
export function openInterrupt(interrupts: InterruptView[], opened: InterruptView): InterruptView[] {
  return interrupts.some((interrupt) => interrupt.id === opened.id) ? interrupts : [...interrupts, opened];
}

/** Who answered, and when. `by` is null while only the answer's own sender knows of it. */
export type Answered = { by: AnsweredBy | null; at: string };

/** Marks an interrupt as answered, or completes what is known of the answer. A closed one stays closed. */
export function markAnswered(
  interrupts: InterruptView[],
  interruptId: string,
  { by, at }: Answered,
): InterruptView[] {
  return update(interrupts, interruptId, (interrupt) =>
    interrupt.state === 'closed'
      ? interrupt
      : { ...interrupt, state: 'answered', answeredBy: by ?? interrupt.answeredBy, answeredAt: at },
  );
}

/** Marks an interrupt as closed without an answer. An answered one stays answered. */
export function markClosed(
  interrupts: InterruptView[],
  interruptId: string,
  why: InterruptClosedWhy | null,
): InterruptView[] {
  return update(interrupts, interruptId, (interrupt) =>
    interrupt.state === 'answered'
      ? interrupt
      : { ...interrupt, state: 'closed', closedWhy: why ?? interrupt.closedWhy },
  );
}

/** Notes which page runs a frontend tool. One that is no longer open stays as it is. */
export function markLeased(
  interrupts: InterruptView[],
  interruptId: string,
  lease: InterruptLeaseView,
): InterruptView[] {
  return update(interrupts, interruptId, (interrupt) =>
    interrupt.kind !== 'frontend' || interrupt.state !== 'open' || interrupt.lease?.since === lease.since
      ? interrupt
      : { ...interrupt, lease },
  );
}

function update(
  interrupts: InterruptView[],
  id: string,
  change: (interrupt: InterruptView) => InterruptView,
): InterruptView[] {
  const index = interrupts.findIndex((interrupt) => interrupt.id === id);
  const existing = interrupts[index];
  if (!existing) return interrupts;
  const changed = change(existing);
  return changed === existing ? interrupts : replaceAt(interrupts, index, changed);
}
