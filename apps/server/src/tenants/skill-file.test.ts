import { describe, expect, it } from 'vitest';
import { readSkillFile } from './skill-file.js';

const file = (head: string, content = '# Wording\n\nShort.\n') => `---\n${head}\n---\n${content}`;

describe('a skill as a file', () => {
  it('has its description in front and its Markdown after', () => {
    expect(
      readSkillFile('wording', file('name: wording\ndescription: "How posters are worded: short"')),
    ).toEqual({
      ok: true,
      value: { key: 'wording', description: 'How posters are worded: short', content: '# Wording\n\nShort.' },
    });
  });

  it('may have the line ends of Windows', () => {
    const text = file('description: Short').replaceAll('\n', '\r\n');
    expect(readSkillFile('wording', text)).toMatchObject({ ok: true, value: { description: 'Short' } });
  });

  it.each([
    ['no description', '# Wording', 'must begin with a line ---'],
    ['another name', file('name: other\ndescription: Short'), 'the name of the file'],
    [
      'a field that means nothing here',
      file('description: Short\nmodel: large'),
      '"model" is not understood',
    ],
    ['nothing in it', file('description: Short', ' \n'), ''],
  ])('with %s is refused', (_name, text, message) => {
    expect(readSkillFile('wording', text)).toMatchObject({
      ok: false,
      fields: [{ message: expect.stringContaining(message) }],
    });
  });
});
