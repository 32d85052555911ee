import type { AskUserField } from '@plinth/protocol';
import { useId } from 'react';
import type { UiStrings } from '../strings.js';
import { useUi } from '../ui-context.js';
import { type AskDraft, NO, YES } from './ask-user-draft.js';

type AskUserFieldProps = {
  field: AskUserField;
  /** Names the control when the field has no label of its own. */
  labelledBy: string;
  value: AskDraft[string];
  problem: string | null;
  disabled: boolean;
  onChange: (value: AskDraft[string]) => void;
};

type Choice = { value: string; label: string; description: string | null };

/** What a field is chosen from; null for one that is typed. */
export function choicesOf({ type, options }: AskUserField, strings: UiStrings): readonly Choice[] | null {
  if (type === 'choice' || type === 'choices') return options;
  if (type !== 'yes_no') return null;
  return [
    { value: YES, label: strings.yes, description: null },
    { value: NO, label: strings.no, description: null },
  ];
}

/** One control of a question, with its label and error. Native inputs: keys and screen readers work as everywhere. */
export function AskUserControl(props: AskUserFieldProps) {
  const { strings } = useUi();
  const choices = choicesOf(props.field, strings);
  return choices === null ? <TypedField {...props} /> : <ChosenField {...props} choices={choices} />;
}

function Label({ field }: { field: AskUserField }) {
  const { strings } = useUi();
  return (
    <>
      {field.label}
      {!field.required && <span className="plinth-optional"> ({strings.optional})</span>}
    </>
  );
}

function Problem({ id, problem }: { id: string; problem: string | null }) {
  if (problem === null) return null;
  return (
    <p id={id} className="plinth-field-error">
      {problem}
    </p>
  );
}

function ChosenField({
  field,
  labelledBy,
  value,
  problem,
  disabled,
  onChange,
  choices,
}: AskUserFieldProps & { choices: readonly Choice[] }) {
  const id = useId();
  const several = field.type === 'choices';
  const chosen = typeof value === 'string' ? [value] : value;
  const choose = (choice: string, on: boolean) => {
    if (!several) return onChange(choice);
    onChange(choices.map((one) => one.value).filter((one) => (one === choice ? on : chosen.includes(one))));
  };
  return (
    <fieldset
      className="plinth-options"
      disabled={disabled}
      aria-labelledby={field.label === null ? labelledBy : undefined}
      aria-describedby={problem === null ? undefined : `${id}-problem`}
    >
      {field.label !== null && (
        <legend>
          <Label field={field} />
        </legend>
      )}
      {choices.map((choice) => (
        <label key={choice.value} className="plinth-option">
          <input
            type={several ? 'checkbox' : 'radio'}
            name={id}
            checked={chosen.includes(choice.value)}
            aria-invalid={problem !== null}
            onChange={(event) => choose(choice.value, event.target.checked)}
          />
          <span>
            {choice.label}
            {choice.description !== null && <span className="plinth-option-note">{choice.description}</span>}
          </span>
        </label>
      ))}
      <Problem id={`${id}-problem`} problem={problem} />
    </fieldset>
  );
}

function TypedField({ field, labelledBy, value, problem, disabled, onChange }: AskUserFieldProps) {
  const id = useId();
  const common = {
    id,
    disabled,
    required: field.required,
    value: String(value),
    'aria-labelledby': field.label === null ? labelledBy : undefined,
    'aria-invalid': problem !== null,
    'aria-describedby': problem === null ? undefined : `${id}-problem`,
  };
  return (
    <div className="plinth-field">
      {field.label !== null && (
        <label htmlFor={id}>
          <Label field={field} />
        </label>
      )}
      {field.type === 'long_text' ? (
        <textarea {...common} rows={3} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input
          {...common}
          type="text"
          autoComplete="off"
          inputMode={field.type === 'number' ? 'decimal' : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <Problem id={`${id}-problem`} problem={problem} />
    </div>
  );
}
