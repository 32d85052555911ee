import type { AskUserComponent, AskUserField, AskUserProps } from '@plinth/protocol';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { ComponentInterrupt, ComponentToolProps } from '../../component-tool-props.js';
import { isUnderWay } from '../answer-note.js';
import { sortFieldErrors } from '../field-errors.js';
import { Icon } from '../icons.js';
import type { FieldProblems } from '../schema-fields.js';
import { useUi } from '../ui-context.js';
import { emptyDraft, readAskDraft, YES } from './ask-user-draft.js';
import { AskUserControl, choicesOf } from './ask-user-field.js';

export const ASK_USER: AskUserComponent = 'plinth.ask_user';

/** What is asked; null for an interrupt of another component. */
export function askedQuestion({ component, props }: ComponentInterrupt): string | null {
  return component === ASK_USER && typeof props.question === 'string' ? props.question : null;
}

/** What the built-in tool `ask_user` asks: buttons for one choice, else a form. A host may register its own instead. */
export function AskUserCard({ props, submit, decline, status, errors }: ComponentToolProps) {
  const { strings } = useUi();
  const id = useId();
  // The server made them from the call; see `askUserForm` of the engine.
  const { question, fields } = props as unknown as AskUserProps;
  const sending = isUnderWay(status);
  const [only] = fields;
  const isOneChoice = fields.length === 1 && (only?.type === 'choice' || only?.type === 'yes_no');
  return (
    <section className="plinth-card plinth-card--ask plinth-ask" aria-labelledby={id}>
      <header className="plinth-card-header">
        <Icon name="question" />
        <h3 id={id} className="plinth-ask-question">
          {question}
        </h3>
      </header>
      {isOneChoice && only ? (
        <ChoiceButtons field={only} labelledBy={id} disabled={sending} onChoose={submit} />
      ) : (
        <AskForm fields={fields} labelledBy={id} sending={sending} errors={errors} onSubmit={submit} />
      )}
      <button
        type="button"
        className="plinth-button plinth-button--quiet plinth-button--small"
        disabled={sending}
        onClick={() => decline()}
      >
        {strings.skipQuestion}
      </button>
    </section>
  );
}

type ChoiceButtonsProps = {
  field: AskUserField;
  labelledBy: string;
  disabled: boolean;
  onChoose: (value: { [name: string]: string | boolean }) => void;
};

/** One choice is one press: there is nothing else to fill in. */
function ChoiceButtons({ field, labelledBy, disabled, onChoose }: ChoiceButtonsProps) {
  const { strings } = useUi();
  const answerOf = (choice: string) => (field.type === 'yes_no' ? choice === YES : choice);
  return (
    <fieldset className="plinth-choices" aria-labelledby={labelledBy} disabled={disabled}>
      {choicesOf(field, strings)?.map(({ value, label, description }) => (
        <button
          key={value}
          type="button"
          className="plinth-button plinth-choice"
          onClick={() => onChoose({ [field.name]: answerOf(value) })}
        >
          <span>{label}</span>
          {description !== null && <span className="plinth-option-note">{description}</span>}
        </button>
      ))}
    </fieldset>
  );
}

type AskFormProps = {
  fields: readonly AskUserField[];
  labelledBy: string;
  sending: boolean;
  errors: ComponentToolProps['errors'];
  onSubmit: ComponentToolProps['submit'];
};

function AskForm({ fields, labelledBy, sending, errors, onSubmit }: AskFormProps) {
  const { strings } = useUi();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(() => emptyDraft(fields));
  const [problems, setProblems] = useState<FieldProblems>({});
  const refused = sortFieldErrors(
    errors,
    fields.map(({ name }) => name),
  );
  const shown = { ...refused.byField, ...problems };
  const problemCount = Object.keys(shown).length;
  // The first wrong field is where the person goes on.
  useEffect(() => {
    if (problemCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problemCount]);

  const send = (event: FormEvent) => {
    event.preventDefault();
    const read = readAskDraft(fields, draft, strings);
    setProblems(read.ok ? {} : read.problems);
    if (read.ok) onSubmit(read.value);
  };
  return (
    <form ref={form} className="plinth-form" onSubmit={send} noValidate>
      {fields.map((field) => (
        <AskUserControl
          key={field.name}
          field={field}
          labelledBy={labelledBy}
          value={draft[field.name] ?? ''}
          problem={shown[field.name] ?? null}
          disabled={sending}
          onChange={(value) => setDraft({ ...draft, [field.name]: value })}
        />
      ))}
      {problemCount > 0 && (
        <p className="plinth-problem" role="alert">
          {[strings.checkFields, ...refused.general].join(' ')}
        </p>
      )}
      <div className="plinth-actions">
        <button type="submit" className="plinth-button plinth-button--primary" disabled={sending}>
          {sending ? strings.sending : strings.sendAnswer}
        </button>
      </div>
    </form>
  );
}
