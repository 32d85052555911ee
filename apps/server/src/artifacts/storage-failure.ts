/** Why bytes could not be stored or read. Codes are stable. */
export type StorageFailureCode =
  /** The store does not know these credentials, or does not let them do this. */
  | 'denied'
  | 'no_bucket'
  | 'timed_out'
  /** It cannot be reached, or fails. */
  | 'unavailable';

/** A failure of the store of artifacts' bytes. The message names no credential. */
export class StorageFailure extends Error {
  constructor(
    readonly code: StorageFailureCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'StorageFailure';
  }
}
