import { drawPicture, encodePreview } from '../media/picture.js';
import type { NodeClass } from './node-class.js';

/** What a sampler works on: nothing is computed before it is decoded. */
export interface Latent {
  width: number;
  height: number;
  seconds: number;
  seed: number | string;
  text: string;
}

const SAMPLERS = ['euler', 'euler_ancestral', 'heun', 'dpmpp_2m', 'dpmpp_3m_sde', 'ddim'];
const SCHEDULERS = ['normal', 'karras', 'exponential', 'simple'];
export const CHECKPOINTS = ['sim-v1.safetensors', 'stable-audio-open-1.0.safetensors'];
/** The limits of the real nodes. */
const SIDE = { default: 512, min: 16, max: 16_384, step: 8 };

export const MODEL_NODES: Record<string, NodeClass> = {
  CheckpointLoaderSimple: {
    displayName: 'Load Checkpoint',
    category: 'loaders',
    required: { ckpt_name: [CHECKPOINTS] },
    output: ['MODEL', 'CLIP', 'VAE'],
    run: async ({ ckpt_name }) => ({ values: [ckpt_name, ckpt_name, ckpt_name] }),
  },
  CLIPLoader: {
    displayName: 'Load CLIP',
    category: 'advanced/loaders',
    required: { clip_name: [['t5-base.safetensors']], type: [['stable_diffusion', 'stable_audio']] },
    output: ['CLIP'],
    run: async ({ clip_name }) => ({ values: [clip_name] }),
  },
  CLIPTextEncode: {
    displayName: 'CLIP Text Encode (Prompt)',
    category: 'conditioning',
    required: { text: ['STRING', { multiline: true, dynamicPrompts: true }], clip: ['CLIP'] },
    output: ['CONDITIONING'],
    run: async ({ text }) => ({ values: [String(text)] }),
  },
  EmptyLatentImage: {
    displayName: 'Empty Latent Image',
    category: 'latent',
    required: {
      width: ['INT', SIDE],
      height: ['INT', SIDE],
      batch_size: ['INT', { default: 1, min: 1, max: 4096 }],
    },
    output: ['LATENT'],
    run: async ({ width, height }) => ({ values: [{ ...NOTHING, width, height }] }),
  },
  EmptyLatentAudio: {
    displayName: 'Empty Latent Audio',
    category: 'latent/audio',
    required: {
      seconds: ['FLOAT', { default: 47.6, min: 1, max: 1000, step: 0.1 }],
      batch_size: ['INT', { default: 1, min: 1, max: 4096 }],
    },
    output: ['LATENT'],
    run: async ({ seconds }) => ({ values: [{ ...NOTHING, seconds }] }),
  },
  KSampler: {
    displayName: 'KSampler',
    category: 'sampling',
    required: {
      model: ['MODEL'],
      seed: ['INT', { default: 0, min: 0, max: 18_446_744_073_709_552_000, control_after_generate: true }],
      steps: ['INT', { default: 20, min: 1, max: 10_000 }],
      cfg: ['FLOAT', { default: 8, min: 0, max: 100, step: 0.1, round: 0.01 }],
      sampler_name: [SAMPLERS],
      scheduler: [SCHEDULERS],
      positive: ['CONDITIONING'],
      negative: ['CONDITIONING'],
      latent_image: ['LATENT'],
      denoise: ['FLOAT', { default: 1, min: 0, max: 1, step: 0.01 }],
    },
    output: ['LATENT'],
    async run(inputs, context) {
      const empty = inputs.latent_image as Latent;
      const text = [inputs.positive, inputs.negative, inputs.cfg, inputs.sampler_name].join('\n');
      const latent: Latent = { ...empty, seed: inputs.seed as number, text };
      const steps = Number(inputs.steps);
      const preview = () => encodePreview(drawPicture(64, 64, latent.seed, latent.text));
      for (let step = 1; step <= steps; step += 1) await context.step(step, steps, preview);
      return { values: [latent] };
    },
  },
};

const NOTHING: Latent = { width: 0, height: 0, seconds: 0, seed: 0, text: '' };
