import type {
  AnsweredBy,
  EndReason,
  InterruptClosedWhy,
  InterruptKind,
  KnownOutcome,
  ToolCallStatus,
} from '@plinth/protocol';
import type { ArtifactStrings } from './artifacts/artifact-strings.js';

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
  waitingForUploads: string;
  editMessage: string;
  answerAgain: string;
  previousVersion: string;
  nextVersion: string;
  versionOf: (position: number, count: number) => string;
  threadBusy: string;
  actionFailed: string;
  answered: string;
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
  noThreads: string;
  connection: Record<'connecting' | 'live' | 'reconnecting', string>;
  copy: string;
  copied: string;
};
