import type {
  AgentVersionId,
  Answer,
  AnsweredBy,
  ArtifactId,
  ArtifactKind,
  ArtifactView,
  CallId,
  EndReason,
  EndUserId,
  InterruptClosedWhy,
  InterruptId,
  InterruptKind,
  InterruptState,
  JsonObject,
  JsonValue,
  MessageId,
  RememberOffer,
  RunError,
  RunId,
  RunStatus,
  ThreadId,
  ToolCallStatus,
  ToolDefinition,
  TurnContext,
  Usage,
  Visibility,
} from '@plinth/protocol';
import type { ContextCut } from '../context/context-cut.js';
import type { ImageRef } from '../images/image-ref.js';
import type { Approval } from '../tools/approval.js';
import type { Permission } from '../tools/permissions.js';

/** The rows of one run, as the ledger keeps them. Times are milliseconds since the Unix epoch. */

export interface Run {
  id: RunId;
  threadId: ThreadId;
  endUserId: EndUserId;
  /** The assistant message of the run: one node and one event log for its whole life. */
  messageId: MessageId;
  userMessageId: MessageId;
  agentVersionId: AgentVersionId;
  status: RunStatus;
  reason: EndReason | null;
  error: RunError | null;
  usage: Usage;
  /** What this run has taken out of the conversation; null as long as it is what the runs before it took out. */
  contextCut: ContextCut | null;
  /** Grows with every claim. A write that carries an older one is refused. */
  fence: number;
  leaseUntil: number | null;
  /** Workers that died or failed in a row without the run getting on. Bounded: what always fails must end. */
  attempts: number;
  cancelRequestedAt: number | null;
  /** Position of the event log that is known to have been written: a lower bound of its tail. */
  eventEpoch: number;
  eventTail: number;
  createdAt: number;
  /** When its time is over, waits included: set at its start from the configuration then in force. */
  deadlineAt: number;
  finishedAt: number | null;
}

/** What is kept of how a turn's request was made. */
export interface StoredTurnContext extends Omit<TurnContext, 'turn' | 'inputTokens' | 'cachedInputTokens'> {
  model: string;
  /** What the request left out, when this turn left out more; null: what the turn before it did. */
  cut: ContextCut | null;
}

/** One exchange with the model: its answer, kept as the exact text that later requests repeat. */
export interface Turn {
  index: number;
  /** The assistant message as JSON text. Text, since a parsed and re-stored one may change its bytes. */
  assistantRaw: string;
  /** Reasoning that the model showed: for people, never sent back. */
  reasoning: string | null;
  /** SHA-256 of the request body that was answered. */
  requestDigest: string;
  configRevision: number;
  /** Null: nothing was noted of its request. */
  context: StoredTurnContext | null;
  usage: Usage;
  createdAt: number;
}

/** The receipt of one tool call. Its status says what is known of the side effect. */
export interface ToolCall {
  id: CallId;
  turnIndex: number;
  /** Place among the calls of its turn. Results enter the next request in this order. */
  position: number;
  /** The model's own id for the call. */
  providerCallId: string;
  tool: string;
  /** Arguments as the model wrote them: JSON text, possibly invalid. */
  argumentsRaw: string;
  /** Arguments that a person put in their place when approving: JSON text. */
  argumentsEdited: string | null;
  status: ToolCallStatus;
  /** Set when a person approved a gated call. */
  approvedAt: number | null;
  /** What lets a gated call run, bound to the arguments that it is about. */
  approval: Approval | null;
  /** What the rules said when it was last looked at on its way; null when it has not come that far. */
  permission: Permission | null;
  startedAt: number | null;
  /** The fence under which it was started: an older one than the run's means that the worker died. */
  startedFence: number | null;
  /** A remote job's service confirmed that it has the job. */
  acceptedAt: number | null;
  finishedAt: number | null;
  /** The exact content of the tool message that the model reads. */
  resultText: string | null;
  summary: string | null;
  error: RunError | null;
  artifactIds: ArtifactId[];
  /** Pictures of the result that the model sees. */
  images: ImageRef[];
  /** The result is that of an earlier call with the same arguments: nothing was carried out. */
  fromCache: boolean;
  /** Tools that the model is offered from the next turn on because of this call, as they were then. */
  enabledTools: ToolDefinition[] | null;
  visibility: Visibility;
}

/** A file whose bytes are in the artifact store already. */
export interface StoredFile {
  title: string;
  kind: ArtifactView['kind'];
  mimeType: string;
  storageKey: string;
  sizeBytes: number;
  sha256: string;
}

/** What was done to a result before it was written: how much of it the model reads, and where all of it is. */
export interface KeptResult {
  /** From the tool's template. */
  summary: string | null;
  cut: boolean;
  full: StoredFile | null;
}

/** What a page answers for a frontend tool. It is stored like a callback: what it brings is a result as well. */
export type PageAnswer = Extract<Answer, { type: 'result' | 'failure' }>;

/** What closed an interrupt: a person's answer, a job's callback, or the passing of its time. */
export type StoredAnswer =
  | Exclude<Answer, PageAnswer>
  | {
      type: 'callback';
      outcome:
        | { ok: true; result: JsonValue; files: StoredFile[]; kept?: KeptResult }
        | { ok: false; error: RunError };
    }
  | { type: 'expired' };

/** What an interrupt shows, by kind. */
export type InterruptPayload =
  | {
      kind: 'confirmation';
      arguments: JsonObject;
      schema: JsonObject;
      /** Missing, as `remember`, in interrupts of an older release. */
      argumentsDigest?: string;
      remember?: RememberOffer;
    }
  | { kind: 'component'; component: string; props: JsonObject; schema: JsonObject }
  | { kind: 'callback' }
  | { kind: 'question'; arguments: JsonObject; schema: JsonObject }
  | { kind: 'frontend'; handler: string; arguments: JsonObject };

/** The hold of one page on a frontend tool. */
export interface InterruptLease {
  clientId: string;
  /** When this page took it. */
  since: number;
  until: number;
}

/** A typed wait of one tool call: a row with an answer slot. */
export interface Interrupt {
  id: InterruptId;
  callId: CallId;
  kind: InterruptKind;
  payload: InterruptPayload;
  state: InterruptState;
  openedAt: number;
  expiresAt: number | null;
  /** SHA-256 of the one-time callback token; null for kinds that people answer. */
  callbackTokenHash: string | null;
  answer: StoredAnswer | null;
  answeredBy: AnsweredBy | null;
  answeredAt: number | null;
  answerRequestId: string | null;
  /** Set in the transaction that records what the answer led to. Until then the run must not park. */
  consumedAt: number | null;
  closedWhy: InterruptClosedWhy | null;
  /** The page that runs it, or ran it last; only of frontend tools. */
  lease: InterruptLease | null;
}

export interface Artifact {
  id: ArtifactId;
  threadId: ThreadId;
  endUserId: EndUserId;
  runId: RunId | null;
  callId: CallId | null;
  kind: ArtifactView['kind'];
  mimeType: string;
  title: string;
  version: number;
  storageKey: string;
  sizeBytes: number;
  sha256: string;
  open: ArtifactView['open'];
  createdAt: number;
}

/** What a person sent along with a message, as the message's row keeps it: all that the history says of it. */
export interface Attachment {
  artifactId: ArtifactId;
  kind: ArtifactKind;
  mimeType: string;
  title: string;
  sizeBytes: number;
  sha256: string;
  storageKey: string;
  /** The tool that the model can read it with; null when its agent has none, and for what the model sees itself. */
  readWith: string | null;
}

/** Everything of one run, without the conversation before it. */
export interface RunRecord {
  run: Run;
  turns: Turn[];
  calls: ToolCall[];
  interrupts: Interrupt[];
  artifacts: Artifact[];
}

/** What was said before the first answer of a run. */
export interface Conversation {
  /**
   * The thread up to and with this run's user message: provider messages as JSON text, oldest first. Pictures stand in
   * them by reference: see `history-messages.ts`.
   */
  history: string[];
  /** What the runs on the way to this one have taken out of it: the newest cut of theirs. */
  inheritedCut: ContextCut;
}

/** Everything that a worker needs to go on with a run. */
export interface RunState extends RunRecord, Conversation {}
