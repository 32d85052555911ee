import type { JsonValue } from '@plinth/protocol';
import type { FieldWords, SchemaField } from './schema-fields.js';
import { useUi } from './ui-context.js';

type ArgumentListProps = {
  fields: readonly SchemaField[];
  values: Readonly<Record<string, JsonValue>>;
  words: FieldWords;
};

/** Arguments as a list to read: what will be done if the person agrees. */
export function ArgumentList({ fields, values, words }: ArgumentListProps) {
  return (
    <dl className="plinth-arguments">
      {fields
        .filter((field) => values[field.name] !== undefined)
        .map((field) => (
          <div key={field.name}>
            <dt>{words.label(field)}</dt>
            <dd>
              <ArgumentValue field={field} value={values[field.name] ?? null} words={words} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

const COLOR = /^#[0-9a-fA-F]{6}$/;

function ArgumentValue({ field, value, words }: { field: SchemaField; value: JsonValue; words: FieldWords }) {
  const { strings } = useUi();
  if (value === null || value === '') return <span className="plinth-faint">{strings.none}</span>;
  if (typeof value === 'boolean') return <>{value ? strings.yes : strings.no}</>;
  if (field.control === 'choice' && (typeof value === 'string' || typeof value === 'number'))
    return <>{words.choice(field, value)}</>;
  if (typeof value === 'number') return <>{value}</>;
  if (typeof value !== 'string') return <pre>{JSON.stringify(value, null, 2)}</pre>;
  if (!COLOR.test(value)) return <>{value}</>;
  return (
    <span className="plinth-color">
      <span className="plinth-swatch" style={{ backgroundColor: value }} aria-hidden="true" />
      <code>{value}</code>
    </span>
  );
}
