import { useState } from 'react';
import type { ComponentInterrupt } from '../component-tool-props.js';
import { useComponentSlot, useInterrupt } from '../use-interrupt.js';
import type { ThreadRef } from '../use-thread-session.js';
import { AnswerNote, isUnderWay } from './answer-note.js';
import { answerProblem } from './answer-problem.js';
import { ASK_USER, AskUserCard, askedQuestion } from './ask-user/ask-user-card.js';
import { ErrorBoundary } from './error-boundary.js';
import { Icon } from './icons.js';
import { SettledInterrupt } from './settled-interrupt.js';
import { useUi } from './ui-context.js';

type ComponentSlotProps = { thread: ThreadRef; interrupt: ComponentInterrupt };

/**
 * Where the host's own component, or the one of `ask_user`, asks the person something. Once it is answered only a line stays: the
 * answer itself belongs to the model's context and is not repeated in the chat.
 */
export function ComponentSlot({ thread, interrupt }: ComponentSlotProps) {
  const { strings, labels, locale } = useUi();
  const { Component: ofHost, componentProps } = useComponentSlot(thread, interrupt);
  const Component = ofHost ?? (interrupt.component === ASK_USER ? AskUserCard : null);
  const { status, error } = useInterrupt(thread, interrupt);
  const [openAtFirst] = useState(interrupt.state === 'open');
  const title = labels[interrupt.tool] ?? askedQuestion(interrupt) ?? interrupt.title;
  if (interrupt.state !== 'open') {
    return <SettledInterrupt interrupt={interrupt} title={title} error={error} justSettled={openAtFirst} />;
  }
  if (Component === null) return <MissingComponent name={interrupt.component} />;
  return (
    <section className="plinth-slot" aria-label={title} aria-busy={isUnderWay(status)}>
      <ErrorBoundary fallback={(retry) => <BrokenComponent name={interrupt.component} onRetry={retry} />}>
        <Component {...componentProps} />
      </ErrorBoundary>
      <AnswerNote status={status} />
      {error !== null && (
        <p className="plinth-problem" role="alert">
          {answerProblem(error, strings, locale)}
        </p>
      )}
    </section>
  );
}

function MissingComponent({ name }: { name: string }) {
  const { strings } = useUi();
  return (
    <section className="plinth-card plinth-card--broken" role="alert">
      <header className="plinth-card-header">
        <Icon name="alert" />
        <h3>{strings.componentMissing(name)}</h3>
      </header>
      <p className="plinth-summary">{strings.componentMissingHint}</p>
    </section>
  );
}

function BrokenComponent({ name, onRetry }: { name: string; onRetry: () => void }) {
  const { strings } = useUi();
  return (
    <section className="plinth-card plinth-card--broken" role="alert">
      <header className="plinth-card-header">
        <Icon name="alert" />
        <h3>{strings.componentBroken(name)}</h3>
      </header>
      <div className="plinth-actions">
        <button type="button" className="plinth-button" onClick={onRetry}>
          {strings.tryAgain}
        </button>
      </div>
    </section>
  );
}
