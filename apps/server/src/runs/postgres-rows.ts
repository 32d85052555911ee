import type { Artifact, ImageRef, Interrupt, RememberedApproval, Run, ToolCall, Turn } from '@plinth/engine';
import type { Usage } from '@plinth/protocol';
import { type Column, entityColumns, jsonText, plain, time } from './postgres-columns.js';

/** `jsonb`, for sums in reports. It reorders keys, so they are put back in their order. */
const usage: Column<Usage> = {
  name: 'usage',
  toRow: (value) => value,
  fromRow: (stored) => {
    const { inputTokens, cachedInputTokens, outputTokens, cost } = stored as Usage;
    return { inputTokens, cachedInputTokens, outputTokens, ...(cost !== undefined && { cost }) };
  },
};

/** Most calls show none, and have no value in the column. */
const images: Column<ImageRef[]> = {
  name: 'images',
  toRow: (value) => (value.length === 0 ? null : JSON.stringify(value)),
  fromRow: (stored) => (stored === null ? [] : JSON.parse(stored as string)),
};

export const runColumns = entityColumns<Run>({
  id: plain('id'),
  threadId: plain('thread_id'),
  endUserId: plain('end_user_id'),
  messageId: plain('message_id'),
  userMessageId: plain('user_message_id'),
  agentVersionId: plain('agent_version_id'),
  status: plain('status'),
  reason: plain('reason'),
  error: jsonText('error'),
  usage,
  contextCut: jsonText('context_cut'),
  fence: plain('fence'),
  leaseUntil: time('lease_until'),
  attempts: plain('attempts'),
  cancelRequestedAt: time('cancel_requested_at'),
  eventEpoch: plain('event_epoch'),
  eventTail: plain('event_tail'),
  createdAt: time('created_at'),
  deadlineAt: time('deadline_at'),
  finishedAt: time('finished_at'),
});

export const turnColumns = entityColumns<Turn>({
  index: plain('index'),
  assistantRaw: plain('assistant_raw'),
  reasoning: plain('reasoning'),
  requestDigest: plain('request_digest'),
  configRevision: plain('config_revision'),
  context: jsonText('context'),
  usage,
  createdAt: time('created_at'),
});

export const callColumns = entityColumns<ToolCall>({
  id: plain('id'),
  turnIndex: plain('turn_index'),
  position: plain('position'),
  providerCallId: plain('provider_call_id'),
  tool: plain('tool'),
  argumentsRaw: plain('arguments_raw'),
  argumentsEdited: plain('arguments_edited'),
  status: plain('status'),
  approvedAt: time('approved_at'),
  approval: jsonText('approval'),
  permission: jsonText('permission'),
  startedAt: time('started_at'),
  startedFence: plain('started_fence'),
  acceptedAt: time('accepted_at'),
  finishedAt: time('finished_at'),
  resultText: plain('result_text'),
  summary: plain('summary'),
  error: jsonText('error'),
  artifactIds: plain('artifact_ids'),
  images,
  fromCache: plain('from_cache'),
  enabledTools: jsonText('enabled_tools'),
  visibility: plain('visibility'),
});

export const interruptColumns = entityColumns<Interrupt>({
  id: plain('id'),
  callId: plain('call_id'),
  kind: plain('kind'),
  payload: jsonText('payload'),
  state: plain('state'),
  openedAt: time('opened_at'),
  expiresAt: time('expires_at'),
  callbackTokenHash: plain('callback_token_hash'),
  answer: jsonText('answer'),
  answeredBy: jsonText('answered_by'),
  answeredAt: time('answered_at'),
  answerRequestId: plain('answer_request_id'),
  consumedAt: time('consumed_at'),
  closedWhy: plain('closed_why'),
  lease: jsonText('lease'),
});

export const artifactColumns = entityColumns<Artifact>({
  id: plain('id'),
  threadId: plain('thread_id'),
  endUserId: plain('end_user_id'),
  runId: plain('run_id'),
  callId: plain('call_id'),
  kind: plain('kind'),
  mimeType: plain('mime_type'),
  title: plain('title'),
  version: plain('version'),
  storageKey: plain('storage_key'),
  sizeBytes: plain('size_bytes'),
  sha256: plain('sha256'),
  open: plain('open'),
  createdAt: time('created_at'),
});

export const approvalColumns = entityColumns<RememberedApproval>({
  interruptId: plain('interrupt_id'),
  tool: plain('tool'),
  definitionDigest: plain('definition_digest'),
  createdAt: time('created_at'),
});
