import type { InterruptView } from '@plinth/protocol';
import { useId, useMemo, useState } from 'react';
import { useInterrupt } from '../use-interrupt.js';
import type { ThreadRef } from '../use-thread-session.js';
import { AnswerNote, isUnderWay } from './answer-note.js';
import { answerProblem } from './answer-problem.js';
import { ArgumentList } from './argument-list.js';
import { ConfirmEdit } from './confirm-edit.js';
import { DeclineForm } from './decline-form.js';
import { Icon } from './icons.js';
import { type FieldWords, schemaFields } from './schema-fields.js';
import { useUi } from './ui-context.js';

type ConfirmCardProps = {
  thread: ThreadRef;
  interrupt: Extract<InterruptView, { kind: 'confirmation' }>;
};

/** Asks before a tool runs: read the arguments, approve them, change them, or decline with a reason. */
export function ConfirmCard({ thread, interrupt }: ConfirmCardProps) {
  const { strings, labels, locale } = useUi();
  const { status, error, approve, decline } = useInterrupt(thread, interrupt);
  const headingId = useId();
  const [mode, setMode] = useState<'read' | 'edit' | 'decline'>('read');
  const [remember, setRemember] = useState(false);
  const fields = useMemo(() => schemaFields(interrupt.schema, interrupt.arguments), [interrupt]);
  const words: FieldWords = {
    label: (field) => labels[`${interrupt.tool}.${field.name}`] ?? field.title ?? field.name,
    choice: (field, value) => labels[`${interrupt.tool}.${field.name}.${value}`] ?? String(value),
  };
  const sending = isUnderWay(status);
  // Wrong fields are the edit form's matter, and gone when the changes are discarded.
  const problem =
    error === null || error.code === 'answer_invalid' ? null : answerProblem(error, strings, locale);

  return (
    <section className="plinth-card plinth-card--ask" aria-labelledby={headingId} aria-busy={sending}>
      <header className="plinth-card-header">
        <Icon name="shield" />
        <h3 id={headingId}>{labels[interrupt.tool] ?? interrupt.title}</h3>
        <span className="plinth-tag plinth-tag--ask">{strings.approvalNeeded}</span>
      </header>
      {mode === 'edit' ? (
        <ConfirmEdit
          fields={fields}
          args={interrupt.arguments}
          sending={sending}
          error={error}
          words={words}
          // The box is not in sight here, so what was ticked before is not sent.
          onApprove={(edited) => approve(edited)}
          onCancel={() => setMode('read')}
        />
      ) : (
        <>
          <ArgumentList fields={fields} values={interrupt.arguments} words={words} />
          <AnswerNote status={status} />
          {problem !== null && (
            <p className="plinth-problem" role="alert">
              {problem}
            </p>
          )}
          {interrupt.remember !== 'never' && mode === 'read' && (
            <label className="plinth-remember">
              <input
                type="checkbox"
                checked={remember}
                disabled={sending}
                onChange={(event) => setRemember(event.target.checked)}
              />
              {interrupt.remember === 'thread' ? strings.rememberInThread : strings.rememberInRun}
            </label>
          )}
          {mode === 'decline' ? (
            <DeclineForm sending={sending} onDecline={decline} onBack={() => setMode('read')} />
          ) : (
            <div className="plinth-actions">
              <button
                type="button"
                className="plinth-button plinth-button--primary"
                disabled={sending}
                onClick={() => approve(undefined, { remember })}
              >
                {sending ? strings.sending : strings.approve}
              </button>
              <button
                type="button"
                className="plinth-button"
                disabled={sending}
                onClick={() => setMode('edit')}
              >
                {strings.edit}
              </button>
              <button
                type="button"
                className="plinth-button plinth-button--quiet"
                disabled={sending}
                onClick={() => setMode('decline')}
              >
                {strings.decline}
              </button>
            </div>
          )}
        </>
      )}
    </section>
  );
}
