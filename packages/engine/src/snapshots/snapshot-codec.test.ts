import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SnapshotCodec, wrapField } from './snapshot-codec.js';
import { PakoSnapshotCodec } from './snapshot-codec-pako.js';
import { ZlibSnapshotCodec } from './snapshot-codec-zlib.js';

const codecs: { name: string; codec: SnapshotCodec }[] = [
  { name: 'zlib', codec: new ZlibSnapshotCodec() },
  { name: 'pako', codec: new PakoSnapshotCodec() },
];
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 5000 }))
    .map(([text, times]) => text.repeat(times)),
);

describe.each(codecs)('a snapshot field written by $name', ({ codec: writer }) => {
  it.each(codecs)('is read by $name', async ({ codec: reader }) => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        expect(await reader.decode(await writer.encode(text))).toEqual({ ok: true, text });
      }),
    );
  });

  it.each(codecs)('is a miss for $name when any byte is changed', async ({ codec: reader }) => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.nat(), fc.integer({ min: 1, max: 255 }), async (text, at, flip) => {
        const bytes = Uint8Array.from(await writer.encode(text));
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ flip;
        expect(await reader.decode(bytes)).toEqual({
          ok: false,
          why: index === 0 ? 'unknown_codec' : 'checksum',
        });
      }),
    );
  });

  it.each(codecs)('is a miss for $name when it was cut anywhere', async ({ codec: reader }) => {
    const bytes = await writer.encode('{"turns":[1,2,3]}');
    for (let length = 0; length < bytes.length; length += 1) {
      expect((await reader.decode(bytes.subarray(0, length))).ok).toBe(false);
    }
  });
});

describe.each(codecs)('the $name codec', ({ codec }) => {
  it('takes random bytes for a miss', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), async (bytes) => {
        expect((await codec.decode(bytes)).ok).toBe(false);
      }),
    );
  });

  it.each([
    { what: 'bytes that do not inflate', compressed: Uint8Array.of(0xff, 0xff, 0xff) },
    { what: 'compressed bytes that end too early', compressed: Uint8Array.of(0x4b) },
  ])('says corrupt for $what under a right checksum', async ({ compressed }) => {
    expect(await codec.decode(wrapField(compressed, crc32))).toEqual({ ok: false, why: 'corrupt' });
  });

  it('makes less than half of 250 kB of mixed JSON', async () => {
    const text = mixedJson(250_000);
    const bytes = await codec.encode(text);
    expect(bytes.length / Buffer.byteLength(text)).toBeLessThan(0.5);
    expect(await codec.decode(bytes)).toEqual({ ok: true, text });
  });
});

/** Conversations as they are: prose, Chinese, ids, numbers, tool arguments. The same text every time. */
function mixedJson(sizeBytes: number): string {
  const words =
    'autumn tea sale poster with a warm light and the date of the opening 秋季 茶叶 促销 海报 请 选择 风格'.split(
      ' ',
    );
  let state = 7;
  const random = (below: number): number => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const turns: unknown[] = [];
  let size = 0;
  while (size < sizeBytes) {
    const turn = {
      index: turns.length,
      id: `msg_${random(2 ** 30).toString(36)}${random(2 ** 30).toString(36)}`,
      content: Array.from({ length: 60 }, () => words[random(words.length)]).join(' '),
      call: {
        tool: 'draw_poster',
        arguments: JSON.stringify({ width: random(4000), colours: [random(2 ** 24).toString(16)] }),
      },
    };
    turns.push(turn);
    size += Buffer.byteLength(JSON.stringify(turn)) + 1;
  }
  return JSON.stringify(turns);
}
