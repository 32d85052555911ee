/** What the processes said, line by line, so that a finding can be told together with their words. */

const MOST_LINES = 200_000;

export class LogBook {
  lines = [];

  constructor(now) {
    this.now = now;
  }

  /** Returns what takes a process's output under this name. */
  of(name) {
    let rest = '';
    return (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) this.add(name, line);
    };
  }

  add(name, text) {
    this.lines.push({ t: this.now(), name, text });
    if (this.lines.length > MOST_LINES) this.lines.shift();
  }

  /** The lines that speak of one of these ids, shortened. */
  about(ids, most = 12) {
    return this.lines
      .filter(({ text }) => ids.some((id) => id && text.includes(id)))
      .slice(-most)
      .map(({ t, name, text }) => `${t} ${name} ${shortened(text)}`);
  }
}

function shortened(line) {
  try {
    const { msg, err } = JSON.parse(line);
    return `${msg}${err ? `: ${err.type}: ${String(err.message).trim().split('\n').at(-1)}` : ''}`;
  } catch {
    return line.slice(0, 240);
  }
}
