import type { TenantId } from '@plinth/protocol';
import { describeImagePipeline } from './describe-image-pipeline.js';
import { MemoryImagePipeline } from './memory-image-pipeline.js';

describeImagePipeline('in memory', async () => {
  let nowMs = 0;
  const pipeline = new MemoryImagePipeline({ now: () => nowMs });
  return {
    pipeline,
    tenants: ['ten_acme' as TenantId, 'ten_bolt' as TenantId],
    addPhoto: async (tenant, width, height) => pipeline.add(tenant, { width, height }),
    addBroken: async (tenant) => pipeline.add(tenant, { width: 1, height: 1, unreadable: 'It is damaged.' }),
    pass: (milliseconds) => {
      nowMs += milliseconds;
    },
    close: async () => {},
  };
});
