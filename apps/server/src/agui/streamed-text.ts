/** How much of one turn's text a reader has, when it comes in pieces that may repeat or be missing. */
export class StreamedText {
  #sent = 0;
  #isDone = false;
  /** Between its start and its end on the reader's stream. */
  isOpen = false;

  get isDone(): boolean {
    return this.#isDone;
  }

  /** The text is complete and the reader has it. */
  finish(): void {
    this.#isDone = true;
    this.isOpen = false;
  }

  /** What a piece that starts at `from` adds to what the reader has. A piece behind a hole adds nothing: the whole follows. */
  add(from: number, piece: string): string {
    if (this.#isDone || from > this.#sent) return '';
    const rest = piece.slice(this.#sent - from);
    this.#sent += rest.length;
    return rest;
  }
}
