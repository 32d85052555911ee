import { MessageTooLarge } from './mcp-failure.js';

const NEWLINE = 0x0a;
const NOTHING = new Uint8Array();
/** A field of an event that lets its stream be resumed after it. */
const HAS_ID = /(^|\n)id:/;
const decoder = new TextDecoder('latin1');

/** Passes a body on as it comes, up to a size. */
export class Counted {
  readonly isResumable = false;
  #sizeBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** @throws MessageTooLarge */
  push(piece: Uint8Array): Uint8Array {
    this.#sizeBytes += piece.length;
    if (this.#sizeBytes > this.maxBytes) throw new MessageTooLarge();
    return piece;
  }

  rest(): Uint8Array {
    return NOTHING;
  }
}

/** Passes a stream of events on in whole lines. Only a line has a largest size: a stream may last for hours. */
export class WholeLines {
  isResumable = false;
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** What is complete with this piece. @throws MessageTooLarge */
  push(piece: Uint8Array): Uint8Array {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (this.#heldBytes + (end === 0 ? piece.length : end) > this.maxBytes) throw new MessageTooLarge();
    if (end === 0) {
      this.#hold(piece);
      return NOTHING;
    }
    this.#hold(piece.subarray(0, end));
    const lines = this.rest();
    this.#hold(piece.subarray(end));
    this.isResumable ||= HAS_ID.test(decoder.decode(lines.subarray(0, 1000)));
    return lines;
  }

  /** What is left at the end. */
  rest(): Uint8Array {
    const held = this.#held.length === 1 ? (this.#held[0] ?? NOTHING) : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }

  #hold(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#held.push(piece);
    this.#heldBytes += piece.length;
  }
}
