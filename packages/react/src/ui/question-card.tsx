import type { InterruptView, KnownOutcome } from '@plinth/protocol';
import { useId, useMemo, useState } from 'react';
import { useInterrupt } from '../use-interrupt.js';
import type { ThreadRef } from '../use-thread-session.js';
import { AnswerNote, isUnderWay } from './answer-note.js';
import { answerProblem } from './answer-problem.js';
import { ArgumentList } from './argument-list.js';
import { Icon } from './icons.js';
import { type FieldWords, schemaFields } from './schema-fields.js';
import { useUi } from './ui-context.js';

const OUTCOMES: readonly KnownOutcome[] = ['happened', 'did_not_happen', 'unknown'];

type QuestionCardProps = {
  thread: ThreadRef;
  interrupt: Extract<InterruptView, { kind: 'question' }>;
};

/** Asks whether a call took effect, after a failure in the middle of it. "It did not happen" carries it out. */
export function QuestionCard({ thread, interrupt }: QuestionCardProps) {
  const { strings, labels, locale } = useUi();
  const { status, error, resolve } = useInterrupt(thread, interrupt);
  const id = useId();
  const [note, setNote] = useState('');
  const fields = useMemo(() => schemaFields(interrupt.schema, interrupt.arguments), [interrupt]);
  const words: FieldWords = {
    label: (field) => labels[`${interrupt.tool}.${field.name}`] ?? field.title ?? field.name,
    choice: (field, value) => labels[`${interrupt.tool}.${field.name}.${value}`] ?? String(value),
  };
  const sending = isUnderWay(status);

  return (
    <section
      className="plinth-card plinth-card--ask"
      aria-labelledby={id}
      aria-describedby={`${id}-question`}
      aria-busy={sending}
    >
      <header className="plinth-card-header">
        <Icon name="question" />
        <h3 id={id}>{labels[interrupt.tool] ?? interrupt.title}</h3>
        <span className="plinth-tag plinth-tag--ask">{strings.outcomeUnknown}</span>
      </header>
      <ArgumentList fields={fields} values={interrupt.arguments} words={words} />
      <p id={`${id}-question`} className="plinth-note">
        {strings.outcomeQuestion} {strings.outcomeHint}
      </p>
      <div className="plinth-field plinth-question-note">
        <label htmlFor={`${id}-note`}>
          {strings.outcomeNote}
          <span className="plinth-optional"> ({strings.optional})</span>
        </label>
        <textarea
          id={`${id}-note`}
          dir="auto"
          rows={2}
          maxLength={2000}
          disabled={sending}
          aria-describedby={`${id}-note-help`}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <p id={`${id}-note-help`} className="plinth-help">
          {strings.outcomeNoteHint}
        </p>
      </div>
      <AnswerNote status={status} />
      {error !== null && (
        <p className="plinth-problem" role="alert">
          {answerProblem(error, strings, locale)}
        </p>
      )}
      {/* None is the primary one: a person should look, not press what looks right. */}
      <div className="plinth-actions">
        {OUTCOMES.map((outcome) => (
          <button
            key={outcome}
            type="button"
            className={outcome === 'unknown' ? 'plinth-button plinth-button--quiet' : 'plinth-button'}
            disabled={sending}
            onClick={() => resolve(outcome, note.trim() === '' ? undefined : note.trim())}
          >
            {strings.outcomes[outcome]}
          </button>
        ))}
      </div>
    </section>
  );
}
