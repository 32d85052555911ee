import { decodePicture, drawPicture, encodePng, inverted, type Picture } from '../media/picture.js';
import { encodeWav, playSound, type Sound } from '../media/sound.js';
import type { FileStore, FileType } from '../server/file-store.js';
import type { Latent } from './model-nodes.js';
import type { NodeClass } from './node-class.js';

async function savePicture(files: FileStore, type: FileType, prefix: unknown, picture: unknown) {
  const png = await encodePng(picture as Picture);
  return { values: [], ui: { images: [files.save(type, String(prefix), 'png', png)] } };
}

const prefix = (value: string) => ['STRING', { default: value }] as const;

export const MEDIA_NODES: Record<string, NodeClass> = {
  VAEDecode: {
    displayName: 'VAE Decode',
    category: 'latent',
    required: { samples: ['LATENT'], vae: ['VAE'] },
    output: ['IMAGE'],
    async run({ samples }) {
      const { width, height, seed, text } = samples as Latent;
      if (width === 0) throw new Error('The latent holds no picture.');
      return { values: [drawPicture(width, height, seed, text)] };
    },
  },
  VAEDecodeAudio: {
    displayName: 'VAE Decode Audio',
    category: 'latent/audio',
    required: { samples: ['LATENT'], vae: ['VAE'] },
    output: ['AUDIO'],
    async run({ samples }) {
      const { seconds, seed, text } = samples as Latent;
      if (seconds === 0) throw new Error('The latent holds no sound.');
      return { values: [playSound(seconds, seed, text)] };
    },
  },
  LoadImage: {
    displayName: 'Load Image',
    category: 'image',
    required: { image: [['example.png'], { image_upload: true }] },
    output: ['IMAGE', 'MASK'],
    validate: ({ image }, files) =>
      files.isThere('input', String(image))
        ? null
        : { input: 'image', problem: `Invalid image file: ${String(image)}` },
    async run({ image }, { files }) {
      return { values: [await decodePicture(files.read('input', String(image))), null] };
    },
  },
  ImageInvert: {
    displayName: 'Invert Image',
    category: 'image',
    required: { image: ['IMAGE'] },
    output: ['IMAGE'],
    run: async ({ image }) => ({ values: [inverted(image as Picture)] }),
  },
  SaveImage: {
    displayName: 'Save Image',
    category: 'image',
    required: { images: ['IMAGE'], filename_prefix: prefix('ComfyUI') },
    output: [],
    isOutput: true,
    run: ({ images, filename_prefix }, { files }) => savePicture(files, 'output', filename_prefix, images),
  },
  PreviewImage: {
    displayName: 'Preview Image',
    category: 'image',
    required: { images: ['IMAGE'] },
    output: [],
    isOutput: true,
    run: ({ images }, { files }) => savePicture(files, 'temp', 'ComfyUI_temp_sim', images),
  },
  // The real node writes FLAC; WAV needs no encoder, and players take both.
  SaveAudio: {
    displayName: 'Save Audio (FLAC)',
    category: 'audio',
    required: { audio: ['AUDIO'], filename_prefix: prefix('audio/ComfyUI') },
    output: [],
    isOutput: true,
    async run({ audio, filename_prefix }, { files }) {
      const wav = encodeWav(audio as Sound);
      return { values: [], ui: { audio: [files.save('output', String(filename_prefix), 'wav', wav)] } };
    },
  },
  PreviewAny: {
    displayName: 'Preview as Text',
    category: 'utils',
    required: { source: ['*', {}] },
    output: [],
    isOutput: true,
    run: async ({ source }) => ({
      values: [],
      ui: { text: [typeof source === 'string' ? source : JSON.stringify(source)] },
    }),
  },
};
