import { type ReactNode, useId } from 'react';
import type { Draft, FieldProblems, FieldWords, SchemaField } from './schema-fields.js';
import { useUi } from './ui-context.js';

type SchemaFormProps = {
  fields: readonly SchemaField[];
  draft: Draft;
  problems: FieldProblems;
  disabled: boolean;
  words: FieldWords;
  onChange: (draft: Draft) => void;
};

/** The controls of a form made from a JSON Schema, each with its label, help and error. */
export function SchemaForm({ fields, draft, problems, disabled, words, onChange }: SchemaFormProps) {
  return (
    <div className="plinth-form">
      {fields.map((field) => (
        <SchemaControl
          key={field.name}
          field={field}
          words={words}
          value={draft[field.name] ?? ''}
          problem={problems[field.name] ?? null}
          disabled={disabled}
          onChange={(value) => onChange({ ...draft, [field.name]: value })}
        />
      ))}
    </div>
  );
}

type SchemaControlProps = {
  field: SchemaField;
  words: FieldWords;
  value: string | boolean;
  problem: string | null;
  disabled: boolean;
  onChange: (value: string | boolean) => void;
};

function SchemaControl(props: SchemaControlProps) {
  const { field, words, problem } = props;
  const { strings } = useUi();
  const id = useId();
  const helpId = `${id}-help`;
  const help = problem ?? (field.control === 'json' ? field.description : null);
  return (
    <div className={`plinth-field plinth-field--${field.control}`}>
      <label htmlFor={id}>
        {words.label(field)}
        {!field.required && field.control !== 'boolean' && (
          <span className="plinth-optional"> ({strings.optional})</span>
        )}
      </label>
      {drawControl(props, {
        id,
        'aria-invalid': problem !== null,
        'aria-describedby': help === null ? undefined : helpId,
      })}
      {help !== null && (
        <p id={helpId} className={problem === null ? 'plinth-help' : 'plinth-field-error'}>
          {help}
        </p>
      )}
    </div>
  );
}

type Described = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined };

function drawControl(
  { field, words, value, disabled, onChange }: SchemaControlProps,
  described: Described,
): ReactNode {
  const text = String(value);
  const common = { ...described, disabled, required: field.required };
  switch (field.control) {
    case 'boolean':
      return (
        <input
          {...described}
          type="checkbox"
          disabled={disabled}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case 'choice':
      return (
        <select {...common} value={text} onChange={(event) => onChange(event.target.value)}>
          {!field.required && <option value="" />}
          {field.choices.map((choice) => (
            <option key={choice} value={choice}>
              {words.choice(field, choice)}
            </option>
          ))}
        </select>
      );
    case 'json':
      return (
        <textarea
          {...common}
          rows={4}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'color':
      return (
        <input {...common} type="color" value={text} onChange={(event) => onChange(event.target.value)} />
      );
    default: {
      const inputMode = field.control === 'number' ? 'decimal' : undefined;
      return (
        <input
          {...common}
          type="text"
          autoComplete="off"
          inputMode={inputMode}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    }
  }
}
