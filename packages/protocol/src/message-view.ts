import { z } from 'zod';
import { artifactView } from './artifacts.js';
import { interruptView } from './interrupts.js';
import { jsonObject } from './json.js';
import { endReason, executionLocation, runStatus, toolCallStatus, usage, visibility } from './run-status.js';

export const messagePart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), turn: z.number().int(), text: z.string(), done: z.boolean() }),
  z.object({ type: z.literal('reasoning'), turn: z.number().int(), text: z.string(), done: z.boolean() }),
  z.object({ type: z.literal('tool'), turn: z.number().int(), callId: z.string() }),
]);
export type MessagePart = z.infer<typeof messagePart>;

export const runError = z.object({ code: z.string(), message: z.string() });
export type RunError = z.infer<typeof runError>;

export const toolCallView = z.object({
  callId: z.string(),
  tool: z.string(),
  title: z.string(),
  location: executionLocation,
  turn: z.number().int(),
  status: toolCallStatus,
  arguments: jsonObject.nullable(),
  originalArguments: jsonObject
    .nullable()
    .optional()
    .describe('What the model had asked for; only there when a person has changed it.'),
  progress: z.object({ value: z.number().nullable(), message: z.string().nullable() }).nullable(),
  summary: z.string().nullable(),
  error: runError.nullable(),
  artifactIds: z.array(z.string()),
  visibility,
});
export type ToolCallView = z.infer<typeof toolCallView>;

/**
 * The state of one assistant message. Two ways lead to it and must agree: the client folds the events
 * of the log into it, and the server builds it from the ledger for `snapshot` and `GET /v1/messages/{id}`.
 */
export const messageView = z.object({
  messageId: z.string(),
  runId: z.string(),
  status: runStatus,
  reason: endReason.nullable(),
  parts: z.array(messagePart),
  calls: z.array(toolCallView),
  interrupts: z.array(interruptView),
  artifacts: z.array(artifactView),
  usage,
  error: runError.nullable(),
});
export type MessageView = z.infer<typeof messageView>;
