/**
 * Copies instead of changes. `Array.prototype.with` and `toSpliced` would do, but the web views of many
 * host apps are older than they are.
 */
export function replaceAt<T>(list: readonly T[], index: number, item: T): T[] {
  const copy = list.slice();
  copy[index] = item;
  return copy;
}

export function insertAt<T>(list: readonly T[], index: number, item: T): T[] {
  const copy = list.slice();
  copy.splice(index, 0, item);
  return copy;
}
