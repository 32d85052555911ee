import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the example of the documentation is a test that is run', () => {
  const here = import.meta.dirname;
  const example = readFileSync(join(here, 'style-picker.test.tsx'), 'utf8');
  const guide = readFileSync(join(here, '../../../../docs/embed.md'), 'utf8');
  expect(guide).toContain(`\`\`\`tsx\n${example}\`\`\`\n`);
});
