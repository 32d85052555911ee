import { MessageTooLarge } from './mcp-failure.js';

const NEWLINE = 0x0a;

/**
 * Puts the pieces of a stream together to lines. Each byte is looked at once and copied once, however many pieces a line
 * comes in: a line of many megabytes must not hold the process up.
 */
export class LineBuffer {
  #pieces: Buffer[] = [];
  #sizeBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** The lines that are complete with this piece. @throws MessageTooLarge when one is longer than it may be */
  push(piece: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      this.#keep(piece.subarray(from, end));
      lines.push(Buffer.concat(this.#pieces).toString('utf8').replace(/\r$/, ''));
      this.#pieces = [];
      this.#sizeBytes = 0;
      from = end + 1;
    }
    this.#keep(piece.subarray(from));
    return lines;
  }

  #keep(piece: Buffer): void {
    this.#sizeBytes += piece.length;
    if (this.#sizeBytes > this.maxBytes) throw new MessageTooLarge();
    if (piece.length > 0) this.#pieces.push(piece);
  }
}
