/** Remembers what was made of texts, up to so many characters of them; the longest unused is forgotten first. */
export class TextMemo<Value> {
  private readonly values = new Map<string, Value>();
  private characters = 0;

  constructor(
    private readonly maxCharacters: number,
    private readonly make: (text: string) => Value,
  ) {}

  of(text: string): Value {
    const known = this.values.get(text);
    if (known !== undefined) {
      this.values.delete(text);
      this.values.set(text, known);
      return known;
    }
    const value = this.make(text);
    if (text.length > this.maxCharacters) return value;
    this.values.set(text, value);
    this.characters += text.length;
    for (const oldest of this.values.keys()) {
      if (this.characters <= this.maxCharacters) break;
      this.values.delete(oldest);
      this.characters -= oldest.length;
    }
    return value;
  }
}
