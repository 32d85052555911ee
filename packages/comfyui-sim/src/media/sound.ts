import { randomFrom } from './random.js';

/** One channel of samples from -1 to 1. */
export interface Sound {
  sampleRate: number;
  samples: Float32Array;
}

const SAMPLE_RATE = 22_050;
const BEAT_SECONDS = 0.25;
const LOWEST_HERTZ = 220;
/** Semitones of a pentatonic scale: any order of them sounds well. */
const SCALE = [0, 2, 4, 7, 9, 12, 14, 16];
const LOUDNESS = 0.35;

/** Plays a tune of plucked tones. The same seed and text give the same samples. */
export function playSound(seconds: number, seed: number | string, text: string): Sound {
  const random = randomFrom(seed, text);
  const samples = new Float32Array(Math.round(seconds * SAMPLE_RATE));
  const beat = Math.round(BEAT_SECONDS * SAMPLE_RATE);
  for (let start = 0; start < samples.length; start += beat) {
    const semitones = SCALE[Math.floor(random() * SCALE.length)] ?? 0;
    pluck(samples.subarray(start, start + beat), LOWEST_HERTZ * 2 ** (semitones / 12));
  }
  return { sampleRate: SAMPLE_RATE, samples };
}

function pluck(samples: Float32Array, hertz: number): void {
  for (let index = 0; index < samples.length; index += 1) {
    const seconds = index / SAMPLE_RATE;
    const tone = Math.sin(2 * Math.PI * hertz * seconds) + 0.4 * Math.sin(4 * Math.PI * hertz * seconds);
    samples[index] = LOUDNESS * tone * Math.exp(-6 * seconds) * (1 - index / samples.length);
  }
}

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** RIFF WAVE, 16-bit PCM, one channel. */
export function encodeWav({ sampleRate, samples }: Sound): Buffer {
  const dataBytes = samples.length * BYTES_PER_SAMPLE;
  const file = Buffer.alloc(HEADER_BYTES + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * BYTES_PER_SAMPLE, 28);
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  file.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
  samples.forEach((sample, index) => {
    const clipped = Math.max(-1, Math.min(1, sample));
    file.writeInt16LE(Math.round(clipped * 32_767), HEADER_BYTES + index * BYTES_PER_SAMPLE);
  });
  return file;
}
