import { toIso } from '@plinth/engine';

/**
 * How one field of an entity stands in its column. Rows travel as JSON in both directions: one parameter
 * writes any number of them, and one statement reads several tables.
 */
export interface Column<Value> {
  readonly name: string;
  toRow(value: Value): unknown;
  fromRow(stored: unknown): Value;
}

/** The same value on both sides: text, whole numbers, arrays of text. */
export const plain = <Value>(name: string): Column<Value> => ({
  name,
  toRow: (value) => value,
  fromRow: (stored) => stored as Value,
});

/** Milliseconds in the engine, `timestamptz` in the database. */
export const time = <Value extends number | null>(name: string): Column<Value> => ({
  name,
  toRow: (value) => (value === null ? null : toIso(value)),
  fromRow: (stored) => (stored === null ? null : Date.parse(stored as string)) as Value,
});

/** A structure kept as JSON text, so that its keys stay in their order. */
export const jsonText = <Value>(name: string): Column<Value> => ({
  name,
  toRow: (value) => (value === null ? null : JSON.stringify(value)),
  fromRow: (stored) => (stored === null ? null : JSON.parse(stored as string)) as Value,
});

export type Row = Record<string, unknown>;

/** The columns of one entity, and the way between the two. */
export interface EntityColumns<Entity> {
  readonly names: readonly string[];
  /** Only the fields that are there: a patch becomes a part of a row. */
  toRow(fields: Partial<Entity>): Row;
  fromRow(row: Row): Entity;
}

export function entityColumns<Entity extends object>(
  columns: {
    [Field in keyof Entity]-?: Column<Entity[Field]>;
  },
): EntityColumns<Entity> {
  const fields = Object.keys(columns) as (keyof Entity)[];
  return {
    names: fields.map((field) => columns[field].name),
    toRow: (values) =>
      Object.fromEntries(
        fields
          .filter((field) => values[field] !== undefined)
          .map((field) => [columns[field].name, columns[field].toRow(values[field] as Entity[typeof field])]),
      ),
    fromRow: (row) =>
      Object.fromEntries(
        fields.map((field) => [field, columns[field].fromRow(row[columns[field].name])]),
      ) as Entity,
  };
}
