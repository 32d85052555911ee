import { describe, expect, test } from 'vitest';
import { readEnvironment } from './environment.js';

const REQUIRED = {
  DATABASE_APP_URL: 'postgres://localhost/plinth',
  REDIS_URL: 'redis://localhost',
  PLINTH_SECRET: 'k7Jp2vQx9ZrT4mWb8NcY6sLf3HdGa5Ue1RiOoPtXzVw',
};
const read = (more: Record<string, string> = {}) => readEnvironment({ ...REQUIRED, ...more });

describe('where artifacts are kept', () => {
  test('is a folder unless something else is said', () => {
    expect(read()).toMatchObject({ PLINTH_STORAGE: 'local', PLINTH_DATA_DIR: '.plinth' });
  });

  test('a bucket needs a name, and a key its secret', () => {
    expect(() => read({ PLINTH_STORAGE: 's3' })).toThrow(/PLINTH_S3_BUCKET: must name a bucket/);
    expect(() => read({ PLINTH_S3_ACCESS_KEY_ID: 'key' })).toThrow(
      /PLINTH_S3_SECRET_ACCESS_KEY: must be set/,
    );
    const bucket = { PLINTH_STORAGE: 's3', PLINTH_S3_BUCKET: 'files' };
    expect(read(bucket)).toMatchObject({ PLINTH_S3_REGION: 'us-east-1', PLINTH_S3_TIMEOUT_MS: 30_000 });
  });

  test('the path style is said in words, or not at all', () => {
    expect(read({ PLINTH_S3_PATH_STYLE: 'false' }).PLINTH_S3_PATH_STYLE).toBe(false);
    expect(read({ PLINTH_S3_PATH_STYLE: '' }).PLINTH_S3_PATH_STYLE).toBeUndefined();
    expect(() => read({ PLINTH_S3_PATH_STYLE: 'sometimes' })).toThrow(/PLINTH_S3_PATH_STYLE/);
  });

  test('a prefix does not begin with a slash', () => {
    expect(() => read({ PLINTH_S3_PREFIX: '/files' })).toThrow(/PLINTH_S3_PREFIX/);
    expect(read({ PLINTH_S3_PREFIX: 'acme/files' }).PLINTH_S3_PREFIX).toBe('acme/files');
  });
});
