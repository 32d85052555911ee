import type {
  AnsweredBy,
  EndReason,
  InterruptClosedWhy,
  InterruptKind,
  KnownOutcome,
  ToolCallStatus,
} from '@plinth/protocol';
import type { ArtifactStrings } from './artifacts/artifact-strings.js';
import type { ProblemKind } from './problem-kind.js';

/** The languages that the components speak. */
export type Language = 'en' | 'zh';

/** Every text that the components show by themselves. */
export type UiStrings = ArtifactStrings & {
  conversation: string;
  you: string;
  assistant: string;
  thinking: string;
  reasoning: string;
  loading: string;
  loadFailed: string;
  tryingAgain: string;
  /** What went wrong with a call, and what the person can do. */
  problems: Record<ProblemKind, string>;
  jumpToLatest: string;
  composerLabel: string;
  composerPlaceholder: string;
  composerHint: string;
  send: string;
  sending: string;
  stop: string;
  notSent: string;
  resend: string;
  discard: string;
  attach: string;
  attachments: string;
  uploading: (name: string) => string;
  removeAttachment: (name: string) => string;
  uploadTooLarge: string;
  uploadFailed: string;
  uploadEmpty: string;
  uploadTooMany: (most: number) => string;
  waitingForUploads: string;
  refusedUploads: string;
  editMessage: string;
  answerAgain: string;
  previousVersion: string;
  nextVersion: string;
  versionOf: (position: number, count: number) => string;
  threadBusy: string;
  answered: string;
  /** Said in the place of code. */
  codeBlock: string;
  olderMessages: string;
  working: string;
  waitingFor: Record<InterruptKind, string>;
  waitingForPermission: string;
  callStatus: Record<ToolCallStatus, string>;
  waitingForJob: string;
  progress: (title: string) => string;
  ended: Record<Exclude<EndReason, 'final_answer'>, string>;
  approvalNeeded: string;
  permissionNeeded: string;
  permissionHint: string;
  allow: string;
  approve: string;
  approveEdited: string;
  rememberInThread: string;
  rememberInRun: string;
  edit: string;
  cancelEdit: string;
  decline: string;
  back: string;
  outcomeUnknown: string;
  outcomeQuestion: string;
  outcomeHint: string;
  outcomes: Record<KnownOutcome, string>;
  outcomeNote: string;
  outcomeNoteHint: string;
  sendAnswer: string;
  skipQuestion: string;
  declineReason: string;
  declineReasonHint: string;
  optional: string;
  yes: string;
  no: string;
  none: string;
  checkFields: string;
  fieldRequired: string;
  fieldNotANumber: string;
  fieldNotWhole: string;
  fieldTooSmall: (min: number) => string;
  fieldTooLarge: (max: number) => string;
  fieldTooShort: (min: number) => string;
  fieldTooLong: (max: number) => string;
  fieldWrongForm: string;
  fieldNotJson: string;
  answeredBy: (by: AnsweredBy['kind'], time: string) => string;
  answeredElsewhere: (by: AnsweredBy['kind'], time: string | null) => string;
  answerTooLate: string;
  closed: Record<InterruptClosedWhy, string>;
  answerNotSent: string;
  answerQueued: string;
  componentMissing: (name: string) => string;
  componentMissingHint: string;
  componentBroken: (name: string) => string;
  tryAgain: string;
  workspace: string;
  artifacts: string;
  workspaceEmpty: string;
  workspaceEmptyHint: string;
  openArtifact: (title: string) => string;
  artifactFailed: string;
  noPreview: string;
  download: string;
  zoomIn: string;
  zoomOut: string;
  zoomFit: string;
  zoomActual: string;
  threads: string;
  newThread: string;
  untitledThread: string;
  forkedFrom: (title: string) => string;
  noThreads: string;
  connection: Record<'connecting' | 'live' | 'reconnecting', string>;
  copy: string;
  copied: string;
};
