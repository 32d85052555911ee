/** Enough for every statement that this server is written with; a query builder's endless variants are not kept. */
const MAX_NAMES = 200;

/** The name of a statement's text; '' for one that has none. */
export type StatementNames = (sql: string) => string;

/**
 * Names for prepared statements: Postgres parses and plans a named one once per connection. What comes after
 * the first `MAX_NAMES` different texts stays unnamed, since names are never forgotten by a connection.
 */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= MAX_NAMES) return '';
    const name = `plinth_${names.size + 1}`;
    names.set(sql, name);
    return name;
  };
}
