import type {
  Artifact,
  Attachment,
  ImageRef,
  Interrupt,
  NewRun,
  Run,
  StoredTurnContext,
  ToolCall,
  Turn,
} from '@plinth/engine';
import { ID_PREFIX, type IdKind, NO_USAGE } from '@plinth/protocol';

/** Builders supply everything that a test does not mention. */

const NOW = Date.UTC(2026, 10, 29, 9, 0, 0);
/** The default of `budgets.maxRunSeconds`. */
const RUN_MS = 2_592_000_000;
let made = 0;

/** An id that no other call returned; later ones sort behind earlier ones, as real ids do. */
export function anId<Id extends string>(kind: IdKind): Id {
  made += 1;
  return `${ID_PREFIX[kind]}_${String(made).padStart(8, '0')}` as Id;
}

export function aRun(fields: Partial<Run> = {}): Run {
  return {
    id: anId('run'),
    threadId: anId('thread'),
    endUserId: 'user-1' as Run['endUserId'],
    messageId: anId('message'),
    userMessageId: anId('message'),
    agentVersionId: anId('agentVersion'),
    status: 'queued',
    reason: null,
    error: null,
    usage: NO_USAGE,
    contextCut: null,
    fence: 0,
    leaseUntil: null,
    attempts: 0,
    cancelRequestedAt: null,
    eventEpoch: 1,
    eventTail: 0,
    createdAt: NOW,
    deadlineAt: (fields.createdAt ?? NOW) + RUN_MS,
    finishedAt: null,
    ...fields,
  };
}

/** What starts a run, in a new thread unless one is named. */
export function aNewRun(fields: Partial<NewRun> = {}): NewRun {
  return {
    runId: anId('run'),
    messageId: anId('message'),
    userMessageId: anId('message'),
    threadId: null,
    newThreadId: anId('thread'),
    title: 'hello',
    endUserId: 'user-1' as NewRun['endUserId'],
    agentVersionId: anId('agentVersion'),
    agent: { key: 'poster-studio', version: 1 },
    text: 'a poster for our autumn tea sale',
    attachments: [],
    artifacts: [],
    idempotency: null,
    now: NOW,
    deadlineAt: (fields.now ?? NOW) + RUN_MS,
    ...fields,
  };
}

export function aTurn(fields: Partial<Turn> = {}): Turn {
  return {
    index: 0,
    assistantRaw: '{"role":"assistant","content":"Here you are."}',
    reasoning: null,
    requestDigest: 'digest-of-the-request',
    configRevision: 1,
    context: null,
    usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5 },
    createdAt: NOW,
    ...fields,
  };
}

export function aTurnContext(fields: Partial<StoredTurnContext> = {}): StoredTurnContext {
  return {
    model: 'sim',
    tokens: 20,
    tokensExact: true,
    bytes: 400,
    budgetTokens: 100_000,
    budgetBytes: 20_000_000,
    wallBytes: 30_000_000,
    accounts: { instructions: { tokens: 10, bytes: 200 }, history: { tokens: 10, bytes: 200 } },
    reasons: [],
    prefixBytes: null,
    cut: null,
    ...fields,
  };
}

export function aCall(fields: Partial<ToolCall> = {}): ToolCall {
  const id = fields.id ?? anId<ToolCall['id']>('call');
  return {
    id,
    turnIndex: 0,
    position: 0,
    providerCallId: `provider-${id}`,
    tool: 'choose_style',
    argumentsRaw: '{}',
    argumentsEdited: null,
    status: 'pending',
    approvedAt: null,
    approval: null,
    permission: null,
    startedAt: null,
    startedFence: null,
    acceptedAt: null,
    finishedAt: null,
    resultText: null,
    summary: null,
    error: null,
    artifactIds: [],
    images: [],
    fromCache: false,
    enabledTools: null,
    visibility: 'chat',
    ...fields,
  };
}

export function anInterrupt(fields: Partial<Interrupt> = {}): Interrupt {
  return {
    id: anId('interrupt'),
    callId: anId('call'),
    kind: 'callback',
    payload: { kind: 'callback' },
    state: 'open',
    openedAt: NOW,
    expiresAt: null,
    callbackTokenHash: null,
    answer: null,
    answeredBy: null,
    answeredAt: null,
    answerRequestId: null,
    consumedAt: null,
    closedWhy: null,
    lease: null,
    ...fields,
  };
}

export function anArtifact(fields: Partial<Artifact> = {}): Artifact {
  return {
    id: anId('artifact'),
    threadId: anId('thread'),
    endUserId: 'user-1' as Artifact['endUserId'],
    runId: null,
    callId: null,
    kind: 'image',
    mimeType: 'image/png',
    title: 'Poster',
    version: 1,
    storageKey: 'sha256/aa/aabb',
    sizeBytes: 1024,
    sha256: 'aabb',
    open: 'auto',
    createdAt: NOW,
    ...fields,
  };
}

export function anImageRef(fields: Partial<ImageRef> = {}): ImageRef {
  return {
    sha256: 'aabb',
    storageKey: 'sha256/aa/aabb',
    artifactId: anId('artifact'),
    title: 'Poster',
    mimeType: 'image/png',
    sizeBytes: 1024,
    ...fields,
  };
}

export function anAttachment(fields: Partial<Attachment> = {}): Attachment {
  return { ...anImageRef(), kind: 'image', readWith: null, ...fields };
}
