/** Answers that are hard to draw while they stream in, each with a sentence behind it that says that all of it is there. */
import { textOf } from './histories.mjs';

export const LAST_WORDS = 'That was all of it.';

const code = (lines) => `Here is the file.\n\n\`\`\`js\n${lines}\n\`\`\`\n\n${LAST_WORDS}`;

/** Some 40 characters a line, as code is written. */
const codeLines = (bytes) => {
  const lines = [];
  for (let length = 0, index = 0; length < bytes; index += 1) {
    const line = `${'  '.repeat(index % 4)}const value${index} = read(${index * 7}); // ${index % 9}`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n').slice(0, bytes);
};

/** A file without a line end, as minified ones are. */
const minified = (bytes) => codeLines(bytes).replaceAll(/\s*\/\/ \d\n\s*/g, ';');

const table = (rows) => {
  const row = (index) =>
    `| ${index} | **${textOf(12, index)}** | ${textOf(60, index + 1)} | \`${index * 37}\` | [source](https://example.com/${index}) |`;
  const head = '| No | Name | What it is | Price | Where |\n|---:|:-----|:-----------|------:|:------|';
  return `Here is the table.\n\n${head}\n${Array.from({ length: rows }, (_, index) => row(index + 1)).join('\n')}\n\n${LAST_WORDS}`;
};

export const answers = {
  'code of 200 kB': code(codeLines(200_000)),
  'code of 200 kB in one line': code(minified(210_000).slice(0, 200_000)),
  'table of 60 rows': table(60),
};
