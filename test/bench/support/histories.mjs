/** The same conversations for every system that is measured: messages of about 600 bytes, one tool result of 60 kB. */

const WORDS =
  'tea leaf autumn market poster headline colour paper print window morning river garden light'.split(' ');

/** Deterministic words, which compress about as well as prose does. */
export function textOf(bytes, seed) {
  const words = [];
  let state = seed * 2654435761 + 12345;
  for (let length = 0; length < bytes; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    const word = `${WORDS[state % WORDS.length]}${state % 97}`;
    words.push(word);
    length += word.length + 1;
  }
  return words.join(' ').slice(0, bytes);
}

/** `count` messages as pairs of user and assistant; the pair in the middle has a tool call with a large result. */
export function conversationOf(count) {
  const pairs = Math.floor(count / 2);
  return Array.from({ length: pairs }, (_, index) => ({
    user: textOf(600, index * 2),
    assistant: textOf(600, index * 2 + 1),
    toolResult: index === Math.floor(pairs / 2) ? textOf(60_000, 7) : null,
  }));
}
