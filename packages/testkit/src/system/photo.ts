import { crc32, deflateSync } from 'node:zlib';

const CHANNELS = 3;
const GRAIN = 24;

/**
 * A picture that is as heavy as one from a camera, and about as hard to make smaller: soft colours under grain, 4:3, as a
 * PNG whose pixels are stored as they are.
 *
 * @param bytes how many it has, give or take a percent
 * @param seed another one is another picture
 */
export function photo(bytes: number, seed: number): Buffer {
  const width = Math.max(4, Math.round(Math.sqrt((bytes / CHANNELS) * (4 / 3))));
  const height = Math.max(3, Math.round(bytes / CHANNELS / width));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels(width, height, seed), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pixels(width: number, height: number, seed: number): Buffer {
  const rowBytes = 1 + width * CHANNELS;
  const all = Buffer.alloc(rowBytes * height);
  let random = (seed + 1) * 2_654_435_761;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      const grain = (random & 0xff) % GRAIN;
      const at = y * rowBytes + 1 + x * CHANNELS;
      all[at] = 40 + (160 * x) / width + grain;
      all[at + 1] = 40 + (160 * y) / height + grain;
      all[at + 2] = 40 + ((seed * 37) % 160) + grain;
    }
  }
  return all;
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
