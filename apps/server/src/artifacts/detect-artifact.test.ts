import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { detectArtifact } from './detect-artifact.js';
import type { TypeHints } from './detected-type.js';

const text = (value: string) => new TextEncoder().encode(value);
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    ),
  );

const PNG = bytes(
  [0x89],
  'PNG\r\n',
  [0x1a, 0x0a, 0, 0, 0, 13],
  'IHDR',
  [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde],
  [0, 0, 0, 12],
  'IDAT',
  [...deflateSync(Buffer.from([0, 255, 0, 0]))],
  [0, 0, 0, 0],
);
const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF', [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);
const PDF = bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
const MP4 = bytes([0, 0, 0, 24], 'ftypisom', [0, 0, 2, 0], 'isomiso2');
const WAV = bytes('RIFF', [36, 0, 0, 0], 'WAVEfmt ', [16, 0, 0, 0]);
const GZIP = bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

describe('what an artifact is', () => {
  test.each<[string, Uint8Array, string, string]>([
    ['a PNG', PNG, 'image', 'image/png'],
    ['a JPEG', JPEG, 'image', 'image/jpeg'],
    ['a PDF', PDF, 'pdf', 'application/pdf'],
    ['an MP4', MP4, 'video', 'video/mp4'],
    ['a WAV', WAV, 'audio', 'audio/wav'],
    ['an archive', GZIP, 'file', 'application/gzip'],
    ['unknown bytes', new Uint8Array([1, 2, 3, 250, 0, 9]), 'file', 'application/octet-stream'],
    ['nothing at all', new Uint8Array(), 'document', 'text/plain'],
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image', 'image/svg+xml'],
    [
      'SVG after a prologue',
      text('\ufeff<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg PUBLIC "x" "y">\n<svg >'),
      'image',
      'image/svg+xml',
    ],
    [
      'SVG with a namespace prefix',
      text('<?xml version="1.0"?><svg:svg xmlns:svg="x"/>'),
      'image',
      'image/svg+xml',
    ],
    ['HTML', text('<!DOCTYPE html><title>Hi</title>'), 'html', 'text/html'],
    ['HTML after a comment', text('<!-- hi -->\n<ScRiPt>alert(1)</ScRiPt>'), 'html', 'text/html'],
    ['XHTML', text('<?xml version="1.0"?><html xmlns="x"/>'), 'html', 'text/html'],
    ['XML', text('<?xml version="1.0"?><feed/>'), 'code', 'application/xml'],
    ['JSON', text(' {"a": [1, 2]}'), 'code', 'application/json'],
    [
      'a JSON list of records',
      text('[{"name":"Tea","qty":2},{"name":"Cup","qty":null}]'),
      'table',
      'application/json',
    ],
    ['a JSON list of lists', text('[[1],[2]]'), 'code', 'application/json'],
    ['records that hold more than values', text('[{"a":{}},{"a":1}]'), 'code', 'application/json'],
    ['almost JSON', text('{"a": '), 'document', 'text/plain'],
    ['CSV', text('name,qty,price\n"Tea, green",2,3\nCup,1,5\n'), 'table', 'text/csv'],
    ['tabs', text('a\tb\n1\t2\n3\t4'), 'table', 'text/tab-separated-values'],
    ['prose with commas', text('Dear Ada,\nall is well,\nyours, Bob'), 'document', 'text/plain'],
    ['Chinese prose', text('秋季茶会\n欢迎光临'), 'document', 'text/plain'],
  ])('%s is recognised from the bytes alone', async (_name, content, kind, mimeType) => {
    expect(await detectArtifact(content)).toEqual({ kind, mimeType });
  });

  test.each<[TypeHints, string, string]>([
    [{ name: 'notes.md' }, 'document', 'text/markdown'],
    [{ name: 'main.PY' }, 'code', 'text/x-python'],
    [{ contentType: 'text/csv; charset=utf-8' }, 'table', 'text/csv'],
    [{ name: 'poster.png', contentType: 'image/png' }, 'document', 'text/plain'],
    [{ name: 'page.html', contentType: 'text/html' }, 'document', 'text/plain'],
  ])('among texts without marks of their own, the hints %j decide', async (hints, kind, mimeType) => {
    expect(await detectArtifact(text('# Title and more'), hints)).toEqual({ kind, mimeType });
  });

  test('what the sender says never wins over the bytes', async () => {
    expect(await detectArtifact(PNG, { name: 'page.html', contentType: 'text/html' })).toEqual({
      kind: 'image',
      mimeType: 'image/png',
    });
    expect(await detectArtifact(text('<html></html>'), { name: 'a.png', contentType: 'image/png' })).toEqual({
      kind: 'html',
      mimeType: 'text/html',
    });
  });

  test('a comment that never ends is text, and is looked at once', async () => {
    expect(await detectArtifact(text(`<!--${'<!--'.repeat(200_000)}`))).toEqual({
      kind: 'document',
      mimeType: 'text/plain',
    });
  });
});
