export type { StreamSharing } from '../stream/stream-sharing.js';
export { type ShareAcrossTabsOptions, shareAcrossTabs, type TabLocks } from './share-across-tabs.js';
