/**
 * Random numbers that follow from a seed. Every part of the run forks its own by name, so that what one part
 * draws does not depend on when another one drew: the plan of a seed is always the same, whatever the timing.
 */

function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

export class SeededRandom {
  #state;

  constructor(seed) {
    this.seed = String(seed);
    this.#state = hashOf(this.seed);
  }

  /** Another sequence, which depends on the seed and the name alone. */
  fork(name) {
    return new SeededRandom(`${this.seed}/${name}`);
  }

  /** At least 0, below 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability) {
    return this.next() < probability;
  }

  /** A whole number, both ends included. */
  between(from, to) {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }

  shuffled(list) {
    const left = [...list];
    return list.map(() => left.splice(Math.floor(this.next() * left.length), 1)[0]);
  }
}

/** Draws from a shuffled bag, and fills it again when it is empty: each comes as often as it stands in `list`. */
export function bagOf(list, random) {
  let bag = [];
  return () => {
    if (bag.length === 0) bag = random.shuffled(list);
    return bag.pop();
  };
}
