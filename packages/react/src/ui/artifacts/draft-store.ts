/** A person's changes of an artifact that are not saved yet. */
export type Draft = {
  /** The version that they are made on. */
  baseVersion: number;
  text: string;
};

const PREFIX = 'plinth.draft.';
/** Characters of a draft up to which it is kept in the tab's storage: browsers give some five million for all of them. */
const MOST_STORED = 1_000_000;
/** How long typing may go on before it is written into the storage. */
const WRITE_DELAY_MS = 400;

/**
 * Changes that are not saved yet, by artifact. They are of the page, not of an editor: closing one, opening another
 * artifact or another thread loses nothing. The tab's storage brings them back after a reload.
 */
export class DraftStore {
  readonly #drafts = new Map<string, Draft | null>();
  readonly #listeners = new Set<() => void>();
  readonly #writes = new Map<string, ReturnType<typeof setTimeout>>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get(artifactId: string): Draft | null {
    const known = this.#drafts.get(artifactId);
    if (known !== undefined) return known;
    const stored = readStored(artifactId);
    this.#keep(artifactId, stored);
    return stored;
  }

  set(artifactId: string, draft: Draft | null): void {
    this.#keep(artifactId, draft);
    clearTimeout(this.#writes.get(artifactId));
    if (draft === null) this.#write(artifactId);
    else
      this.#writes.set(
        artifactId,
        setTimeout(() => this.#write(artifactId), WRITE_DELAY_MS),
      );
    for (const listener of [...this.#listeners]) listener();
  }

  #keep(artifactId: string, draft: Draft | null): void {
    this.#drafts.set(artifactId, draft);
    const unsaved = [...this.#drafts.values()].some((one) => one !== null);
    // The same listener twice is one: whether it is there need not be known.
    if (unsaved) globalThis.addEventListener?.('beforeunload', this.#warn);
    else globalThis.removeEventListener?.('beforeunload', this.#warn);
  }

  /** The browser asks before it leaves; a draft that is stored comes back, but the person may mean to save it first. */
  #warn = (event: BeforeUnloadEvent): void => {
    for (const artifactId of [...this.#writes.keys()]) this.#write(artifactId);
    event.preventDefault();
  };

  #write(artifactId: string): void {
    clearTimeout(this.#writes.get(artifactId));
    this.#writes.delete(artifactId);
    const draft = this.#drafts.get(artifactId) ?? null;
    try {
      if (draft === null || draft.text.length > MOST_STORED) sessionStorage.removeItem(PREFIX + artifactId);
      else sessionStorage.setItem(PREFIX + artifactId, JSON.stringify(draft));
    } catch {
      // No storage, or none left: it stays in memory, and the browser asks before it leaves.
    }
  }
}

function readStored(artifactId: string): Draft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PREFIX + artifactId) ?? 'null');
    return isDraft(stored) ? stored : null;
  } catch {
    return null;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { baseVersion, text } = value as Partial<Draft>;
  return typeof baseVersion === 'number' && typeof text === 'string';
}

/** Those of this page. */
export const drafts = new DraftStore();
