import { describe, expect, test } from 'vitest';
import { parseEnvironment } from './environment.js';

describe('the settings of the backend', () => {
  test('only the address and the key of Plinth must be given', () => {
    const read = parseEnvironment({ PLINTH_URL: 'http://127.0.0.1:3000/', PLINTH_API_KEY: 'pk_x', PORT: '' });
    expect(read).toEqual({
      ok: true,
      environment: {
        PORT: 3001,
        PLINTH_URL: 'http://127.0.0.1:3000',
        PLINTH_API_KEY: 'pk_x',
        PLAYGROUND_INSPECTOR: 'off',
        PLAYGROUND_JOB_DELAY_MS: 6000,
      },
    });
  });

  test('all problems are listed together', () => {
    const read = parseEnvironment({ PLINTH_URL: 'ftp://x', PORT: 'many', PLAYGROUND_INSPECTOR: 'yes' });
    if (read.ok) throw new Error('these settings should be refused');
    expect(read.problems).toHaveLength(4);
    expect(read.problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'PLINTH_URL',
      'PLINTH_API_KEY',
      'PLAYGROUND_INSPECTOR',
    ]);
  });
});
