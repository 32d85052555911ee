import { describe, expect, test } from 'vitest';
import { contentHeaders } from './content-headers.js';

const served = (mimeType: string, title = 'poster') => ({ title, mimeType, sizeBytes: 12, sha256: 'ab' });

describe('the headers of an artifact', () => {
  test('browsers are told not to guess, and may keep a copy for themselves', () => {
    expect(contentHeaders(served('image/png'))).toEqual({
      'content-type': 'image/png',
      'content-length': '12',
      'content-disposition': 'inline; filename="poster"; filename*=UTF-8\'\'poster',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600, immutable',
      etag: '"ab"',
    });
  });

  test.each(['image/png', 'image/webp', 'audio/mpeg', 'video/mp4', 'application/pdf', 'text/markdown'])(
    '%s is shown',
    (type) => {
      expect(contentHeaders(served(type))['content-disposition']).toMatch(/^inline;/);
    },
  );

  test.each([
    'application/zip',
    'application/octet-stream',
    'application/xml',
    'image/tiff',
    'application/xhtml+xml',
  ])('%s is a download', (type) => {
    expect(contentHeaders(served(type))['content-disposition']).toMatch(/^attachment;/);
  });

  test('what was asked for as a download is one', () => {
    expect(contentHeaders(served('image/png'), { download: true })['content-disposition']).toMatch(
      /^attachment;/,
    );
  });

  test.each(['text/html', 'image/svg+xml'])('%s is shown in a sandbox that runs nothing', (type) => {
    const headers = contentHeaders(served(type));
    expect(headers['content-disposition']).toMatch(/^inline;/);
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(headers['content-security-policy']).not.toContain('allow-');
  });

  test('source code cannot be loaded as a script or a style of our origin', () => {
    expect(contentHeaders(served('text/javascript'))['content-type']).toBe('text/plain; charset=utf-8');
    expect(contentHeaders(served('text/css'))['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('a Chinese name survives, with a plain one for old clients', () => {
    expect(contentHeaders(served('image/png', "秋季 (茶会)'s.png"))['content-disposition']).toBe(
      "inline; filename=\"__ (__)'s.png\"; filename*=UTF-8''%E7%A7%8B%E5%AD%A3%20%28%E8%8C%B6%E4%BC%9A%29%27s.png",
    );
  });

  test.each([
    ['a name with a line break', 'a\r\nset-cookie: x=1'],
    ['a name with a folder', '../../etc/passwd'],
    ['a name that turns the reading direction', 'invoice\u202egnp.exe'],
    ['half a character', 'a\ud800b'],
    ['quotes and backslashes', 'a"; x="\\'],
  ])('%s cannot leave its place', (_name, title) => {
    const header = contentHeaders(served('image/png', title))['content-disposition'] ?? '';
    expect(header).toMatch(/^inline; filename="[^"\\/\r\n]*"; filename\*=UTF-8''[A-Za-z0-9._~!$&+%-]*$/);
    expect(header).not.toContain('%E2%80%AE');
  });

  test('an artifact without a name is called one', () => {
    expect(contentHeaders(served('image/png', '  '))['content-disposition']).toContain('filename="artifact"');
  });
});
