import type { IdKind } from '@plinth/protocol';

/** Makes ids that nobody can guess and that sort by the time they were made. */
export interface IdSource {
  next(kind: IdKind): string;
}
