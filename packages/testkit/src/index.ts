export { type ArtifactStoreUnderTest, describeArtifactStore } from './artifacts/describe-artifact-store.js';
export {
  type AttachmentSourceUnderTest,
  describeAttachmentSource,
} from './attachments/describe-attachment-source.js';
export { type EngineWorker, LEASE } from './engine/engine-worker.js';
export { interruptOf } from './engine/fake-callback-tokens.js';
export { MemoryArtifactStore } from './engine/memory-artifact-store.js';
export { MemoryEventWriter } from './engine/memory-event-writer.js';
export { type ChatMessage, pairingProblem } from './engine/pairing-problem.js';
export { RecordingObserver } from './engine/recording-observer.js';
export { type AskedModel, type ModelLine, type ModelScript, ScriptedModel } from './engine/scripted-model.js';
export { ScriptedTools, type ToolScript, untilAborted } from './engine/scripted-tools.js';
export { SequentialIds } from './engine/sequential-ids.js';
export { type EngineSetup, idle, startEngine, TestEngine } from './engine/start-engine.js';
export {
  aComfyUiTool,
  aComponentTool,
  aFrontendTool,
  aRemoteTool,
  aServerTool,
} from './engine/tool-builders.js';
export { describeImagePipeline, type ImagePipelineUnderTest } from './images/describe-image-pipeline.js';
export { MemoryImagePipeline } from './images/memory-image-pipeline.js';
export {
  aCall,
  aNewRun,
  anArtifact,
  anAttachment,
  anId,
  anImageRef,
  anInterrupt,
  aRun,
  aTurn,
  aTurnContext,
} from './ledger/builders.js';
export { describeLedger, type LedgerUnderTest } from './ledger/ledger-suite.js';
export { MemoryLedger } from './ledger/memory-ledger.js';
export { describeEventLog, type EventLogUnderTest } from './redis/describe-event-log.js';
export { describeExpiries, type ExpiriesUnderTest } from './redis/describe-expiries.js';
export { describeRateLimiter } from './redis/describe-rate-limiter.js';
export { describeSnapshotStore } from './redis/describe-snapshot-store.js';
export { describeToolCache } from './redis/describe-tool-cache.js';
export { ManualClock } from './redis/manual-clock.js';
export { MemoryEventLog, type SavedLogs } from './redis/memory-event-log.js';
export { MemoryRateLimiter } from './redis/memory-rate-limiter.js';
export { type Expiry, MemoryScheduler, type Wake } from './redis/memory-scheduler.js';
export { MemorySnapshotStore } from './redis/memory-snapshot-store.js';
export { MemoryToolCache } from './redis/memory-tool-cache.js';
export type { TestServices } from './services/provided.js';
export { createTestDatabase, type TestDatabase } from './services/test-database.js';
export { createTestRedis, type TestRedis, testRedisPrefix } from './services/test-redis.js';
