import type { JsonObject } from '@plinth/protocol';
import { objectSchema } from './tools.js';

/** Text to image, as exported with "Export (API)". */
export const WORKFLOW: JsonObject = {
  '3': {
    class_type: 'KSampler',
    inputs: {
      model: ['4', 0],
      seed: 7,
      steps: 5,
      cfg: 7,
      sampler_name: 'euler',
      scheduler: 'normal',
      positive: ['6', 0],
      negative: ['7', 0],
      latent_image: ['5', 0],
      denoise: 1,
    },
    _meta: { title: 'Sample' },
  },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sim-v1.safetensors' } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'tea', clip: ['4', 1] } },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['4', 1] } },
  '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'picture' } },
};

/** A tool that paints what it is told. */
export const paintTool = (hosts: string[], more: JsonObject = {}, executor: JsonObject = {}): JsonObject => ({
  key: 'paint',
  title: 'Paint',
  description: 'Paints a picture.',
  parameters: objectSchema({ subject: { type: 'string' }, width: { type: 'integer' } }, ['subject']),
  executor: {
    kind: 'comfyui',
    hosts,
    workflow: WORKFLOW,
    inputs: [
      { parameter: 'subject', node: '6', input: 'text' },
      { parameter: 'width', node: '5', input: 'width' },
    ],
    outputs: [{ node: '9' }],
    seed: { targets: [{ node: '3', input: 'seed' }] },
    hostTimeoutSeconds: 5,
    ...executor,
  },
  ...more,
});

/** A tool that inverts a picture of the conversation. */
export const invertTool = (hosts: string[]): JsonObject => ({
  key: 'invert',
  title: 'Invert',
  description: 'Inverts a picture.',
  parameters: objectSchema({ picture: { type: 'string' } }),
  executor: {
    kind: 'comfyui',
    hosts,
    workflow: {
      '1': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
      '2': { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
      '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'inverted' } },
    },
    inputs: [{ parameter: 'picture', node: '1', input: 'image', kind: 'image' }],
    outputs: [{ node: '3', title: 'Inverted' }],
  },
});
