import type { PlinthClientError } from '@plinth/client';
import type { JsonObject } from '@plinth/protocol';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { answerProblem } from './answer-problem.js';
import { sortFieldErrors } from './field-errors.js';
import {
  draftOf,
  type FieldProblems,
  type FieldWords,
  readDraft,
  type SchemaField,
} from './schema-fields.js';
import { SchemaForm } from './schema-form.js';
import { useUi } from './ui-context.js';

type ConfirmEditProps = {
  fields: readonly SchemaField[];
  args: JsonObject;
  sending: boolean;
  error: PlinthClientError | null;
  words: FieldWords;
  onApprove: (edited: JsonObject) => void;
  onCancel: () => void;
};

/** The arguments as a form. What it approves is checked here for typing mistakes, and again by the server. */
export function ConfirmEdit({ fields, args, sending, error, words, onApprove, onCancel }: ConfirmEditProps) {
  const { strings, locale } = useUi();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(() => draftOf(fields, args));
  const [problems, setProblems] = useState<FieldProblems>({});
  const names = fields.map((field) => field.name);
  const refused = sortFieldErrors(error?.fields ?? [], names);
  const shown = { ...refused.byField, ...problems };
  const problemCount = Object.keys(shown).length;

  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  // The first wrong field is where the person goes on typing.
  useEffect(() => {
    if (problemCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problemCount]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readDraft(fields, draft, strings);
    setProblems(read.ok ? {} : read.problems);
    if (read.ok) onApprove(read.arguments);
  };

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <SchemaForm
        fields={fields}
        draft={draft}
        problems={shown}
        disabled={sending}
        words={words}
        onChange={setDraft}
      />
      {(error !== null || problemCount > 0) && (
        <p className="plinth-problem" role="alert">
          {[
            error === null ? strings.checkFields : answerProblem(error, strings, locale),
            ...refused.general,
          ].join(' ')}
        </p>
      )}
      <div className="plinth-actions">
        <button type="submit" className="plinth-button plinth-button--primary" disabled={sending}>
          {sending ? strings.sending : strings.approveEdited}
        </button>
        <button
          type="button"
          className="plinth-button plinth-button--quiet"
          disabled={sending}
          onClick={onCancel}
        >
          {strings.cancelEdit}
        </button>
      </div>
    </form>
  );
}
