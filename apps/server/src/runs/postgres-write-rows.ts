import { Prisma } from '../generated/prisma/client.js';
import type { Row } from './postgres-columns.js';

/** Column and table names come from this source only, never from input. */
const names = (columns: readonly string[], prefix = ''): Prisma.Sql =>
  Prisma.raw(columns.map((column) => `${prefix}"${column}"`).join(', '));

/** Rows as JSON text, every string of them as the database can hold it. */
function rowsText(rows: readonly unknown[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  );
}

/**
 * Postgres takes neither U+0000 nor half of a surrogate pair, and models, people and services send both: they become
 * U+FFFD, so that a strange character never costs a run.
 */
export function storable(text: string): string {
  return text.replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

export type LedgerTable =
  | 'thread'
  | 'message'
  | 'run'
  | 'turn'
  | 'tool_call'
  | 'interrupt'
  | 'artifact'
  | 'artifact_version'
  | 'remembered_approval';

/** Inserts complete rows, all with the same columns, as one parameter. What is null need not be said. */
export function insertRows(table: LedgerTable, rows: readonly Row[]): Prisma.Sql {
  const columns = names(Object.keys(rows[0] ?? {}));
  const said = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  );
  return Prisma.sql`
    INSERT INTO ${Prisma.raw(table)} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${Prisma.raw(table)}, ${rowsText(said)}::json)`;
}

export interface RowPatch {
  id: string;
  /** Only the columns that change. */
  patch: Row;
}

/**
 * Updates rows of one run by id. A row's present values fill in whatever its patch leaves out, so patches of
 * different columns go in one statement, whose text is always the same.
 */
export function updateRows(
  table: LedgerTable,
  columns: readonly string[],
  patches: readonly RowPatch[],
  scope: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`
    UPDATE ${Prisma.raw(table)} AS stored
       SET (${names(columns)}) = (SELECT ${names(columns, 'merged.')} FROM json_populate_record(stored, given.patch) AS merged)
      FROM json_to_recordset(${rowsText(patches)}::json) AS given(id text, patch json)
     WHERE stored.id = given.id AND ${scope}`;
}

const NO_ROWS = Prisma.sql`SELECT 1 WHERE false`;

/**
 * Joins writes into one statement, whose rows are those of `result`. All of them see the rows as they were before,
 * and foreign keys are checked at its end. A write is known to the others as `write_<place>`.
 */
export function inOneStatement(writes: readonly Prisma.Sql[], result = NO_ROWS): Prisma.Sql {
  const parts = writes.map((write, place) => Prisma.sql`${Prisma.raw(`write_${place}`)} AS (${write})`);
  return Prisma.sql`WITH ${Prisma.join(parts)} ${result}`;
}
