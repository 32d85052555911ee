import { MemoryArtifactStore } from '../engine/memory-artifact-store.js';
import { describeArtifactStore } from './describe-artifact-store.js';

describeArtifactStore('in memory', async () => {
  const store = new MemoryArtifactStore();
  return { store, lose: async (storageKey) => store.lose(storageKey), close: async () => {} };
});
