import type { Prompt } from './prompts/prompt.js';

/** Text to image, as exported with "Export (API)". */
export const textToImage = (seed = 7, text = 'a cup of tea'): Prompt => ({
  '3': {
    class_type: 'KSampler',
    inputs: {
      model: ['4', 0],
      seed,
      steps: 4,
      cfg: 7,
      sampler_name: 'euler',
      scheduler: 'normal',
      positive: ['6', 0],
      negative: ['7', 0],
      latent_image: ['5', 0],
      denoise: 1,
    },
  },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sim-v1.safetensors' } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 48, batch_size: 1 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text, clip: ['4', 1] } },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['4', 1] } },
  '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'tea' } },
});

/** Text to sound. */
export const textToSound = (): Prompt => ({
  ...textToImage(),
  '5': { class_type: 'EmptyLatentAudio', inputs: { seconds: 1, batch_size: 1 } },
  '8': { class_type: 'VAEDecodeAudio', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveAudio', inputs: { audio: ['8', 0], filename_prefix: 'audio/tea' } },
});
