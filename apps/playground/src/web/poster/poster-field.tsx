import { cloneElement, type ReactElement, useId } from 'react';

type Control = ReactElement<{
  id?: string;
  name?: string;
  required?: boolean;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string | undefined;
}>;

type PosterFieldProps = {
  name: string;
  label: string;
  /** A word behind the label. */
  note?: string;
  help?: string;
  problem: string | null;
  required?: boolean;
  /** The one control of the field; it gets the ids that tie label, help and problem to it. */
  children: Control;
};

/** A control with its label, and below it the help or what is wrong. */
export function PosterField({
  name,
  label,
  note,
  help,
  problem,
  required = false,
  children,
}: PosterFieldProps) {
  const id = useId();
  const text = problem ?? help;
  const described = text === undefined ? undefined : `${id}-text`;
  return (
    <div className="plinth-field">
      <label htmlFor={id}>
        {label}
        {note !== undefined && <span className="plinth-optional"> ({note})</span>}
      </label>
      {cloneElement(children, {
        id,
        name,
        required,
        'aria-invalid': problem !== null,
        'aria-describedby': described,
      })}
      {text !== undefined && (
        <p id={`${id}-text`} className={problem === null ? 'plinth-help' : 'plinth-field-error'}>
          {text}
        </p>
      )}
    </div>
  );
}
