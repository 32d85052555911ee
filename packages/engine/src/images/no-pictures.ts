import type { ImagePipeline } from './image-pipeline.js';

const refuse = (): never => {
  throw new Error('no picture was made here');
};

/** Where nothing makes pictures ready for a model: each is told as one that cannot be shown. */
export const NO_PICTURES: ImagePipeline = {
  variant: async (_tenant, { sha256 }) => ({ sha256, unreadable: 'images are not shown to models here' }),
  bytes: refuse,
  url: refuse,
};
