import type { PlinthClientError } from '@plinth/client';
import type { InterruptView } from '@plinth/protocol';
import { useLayoutEffect, useRef } from 'react';
import { answerProblem } from './answer-problem.js';
import { Icon } from './icons.js';
import { formatTime } from './moments.js';
import { useUi } from './ui-context.js';

type SettledInterruptProps = {
  interrupt: InterruptView;
  title: string;
  error: PlinthClientError | null;
  /** It was open a moment ago, on this page. */
  justSettled: boolean;
};

/** One line for a question that is answered or closed, and who was quicker when this answer came second. */
export function SettledInterrupt({ interrupt, title, error, justSettled }: SettledInterruptProps) {
  const { strings, locale } = useUi();
  const line = useRef<HTMLElement>(null);
  const answered = interrupt.state === 'answered';
  const text = answered
    ? strings.answeredBy(
        interrupt.answeredBy?.kind ?? 'end_user',
        formatTime(interrupt.answeredAt ?? interrupt.openedAt, locale),
      )
    : strings.closed[interrupt.closedWhy ?? 'superseded'];

  // The form that held the keyboard's focus is gone; without this the next Tab would start at the page's top.
  useLayoutEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (justSettled && lost) line.current?.focus({ preventScroll: true });
  }, [justSettled]);

  return (
    <section
      ref={line}
      className={`plinth-settled plinth-settled--${answered ? 'answered' : 'closed'}`}
      tabIndex={-1}
      aria-label={`${title}: ${text}`}
    >
      <p>
        <Icon name={answered ? 'check' : 'cross'} />
        <span className="plinth-settled-title">{title}</span>
        <span className="plinth-faint">{text}</span>
      </p>
      {error !== null && (
        <p className="plinth-note" role="status">
          {answerProblem(error, strings, locale)}
        </p>
      )}
    </section>
  );
}
