import type { IdSource } from '@plinth/engine';
import { ID_PREFIX, type IdKind } from '@plinth/protocol';

/** Ids that count up, so that a failing test names things that a person can follow. */
export class SequentialIds implements IdSource {
  private readonly made = new Map<IdKind, number>();

  next(kind: IdKind): string {
    const number = (this.made.get(kind) ?? 0) + 1;
    this.made.set(kind, number);
    return `${ID_PREFIX[kind]}_${String(number).padStart(4, '0')}`;
  }
}
