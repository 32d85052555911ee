import type { InterruptView } from '@plinth/protocol';
import { useId, useMemo, useRef, useState } from 'react';
import type { ThreadRef } from '../use-thread-session.js';
import { useToolQuestions } from '../use-tool-questions.js';
import { ArgumentList } from './argument-list.js';
import { DeclineForm } from './decline-form.js';
import { Icon } from './icons.js';
import { type FieldWords, schemaFields } from './schema-fields.js';
import { useUi } from './ui-context.js';

type ToolQuestionCardProps = {
  thread: ThreadRef;
  interrupt: Extract<InterruptView, { kind: 'frontend' }>;
};

const NO_SCHEMA = {};

/** Asks the person of this page whether the page may do what the model wants of it. Only the page that would do it asks. */
export function ToolQuestionCard({ thread, interrupt }: ToolQuestionCardProps) {
  const { strings, labels } = useUi();
  const question = useToolQuestions(thread).find((one) => one.interrupt.id === interrupt.id);
  const card = useRef<HTMLElement>(null);
  const headingId = useId();
  const [declining, setDeclining] = useState(false);
  const fields = useMemo(() => schemaFields(NO_SCHEMA, interrupt.arguments), [interrupt]);
  if (question === undefined) return null;
  const words: FieldWords = {
    label: (field) => labels[`${interrupt.tool}.${field.name}`] ?? field.title ?? field.name,
    choice: (_field, value) => String(value),
  };
  // This card is gone with the answer; the keyboard goes on at the card of the call, which stands before it.
  const answer = (give: () => void) => {
    const call = card.current?.previousElementSibling;
    if (call instanceof HTMLElement) call.focus({ preventScroll: true });
    give();
  };
  return (
    <section ref={card} className="plinth-card plinth-card--ask" aria-labelledby={headingId}>
      <header className="plinth-card-header">
        <Icon name="shield" />
        <h3 id={headingId}>{labels[interrupt.tool] ?? interrupt.title}</h3>
        <span className="plinth-tag plinth-tag--ask">{strings.permissionNeeded}</span>
      </header>
      <ArgumentList fields={fields} values={interrupt.arguments} words={words} />
      <p className="plinth-note">{strings.permissionHint}</p>
      {declining ? (
        <DeclineForm
          sending={false}
          onDecline={(reason) => answer(() => question.deny(reason === '' ? undefined : reason))}
          onBack={() => setDeclining(false)}
        />
      ) : (
        <div className="plinth-actions">
          <button
            type="button"
            className="plinth-button plinth-button--primary"
            onClick={() => answer(question.allow)}
          >
            {strings.allow}
          </button>
          <button type="button" className="plinth-button" onClick={() => setDeclining(true)}>
            {strings.decline}
          </button>
        </div>
      )}
    </section>
  );
}
