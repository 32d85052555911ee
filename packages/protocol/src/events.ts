import { z } from 'zod';
import { artifactAuthor, artifactView } from './artifacts.js';
import { answeredBy, interruptClosedWhy, interruptLease, interruptView } from './interrupts.js';
import { jsonObject } from './json.js';
import { messageView, runError } from './message-view.js';
import { endReason, executionLocation, usage, visibility } from './run-status.js';

/**
 * The entries of a message's event log. This schema is the source: the server's writer, the client's
 * reducer and the JSON Schema that other languages use are all checked against it.
 * A client ignores a type that it does not know.
 */
const turn = z.number().int().nonnegative();
const type = <T extends string, S extends z.ZodRawShape>(name: T, shape: S) =>
  z.object({ type: z.literal(name), ...shape });

export const eventBody = z.discriminatedUnion('type', [
  type('run.started', { agent: z.string(), agentVersion: z.number().int() }),
  type('run.interrupted', { interruptIds: z.array(z.string()) }),
  type('run.resumed', {}),
  type('run.finished', {
    status: z.enum(['completed', 'failed', 'cancelled']),
    reason: endReason,
    usage,
    error: runError.nullable(),
  }),
  type('turn.started', { turn, of: z.number().int().positive() }),
  type('text.delta', {
    turn,
    from: z
      .number()
      .int()
      .nonnegative()
      .describe('Where this piece starts, in UTF-16 code units of the turn.'),
    text: z.string(),
  }),
  type('text.done', { turn, text: z.string() }),
  type('reasoning.delta', { turn, from: z.number().int().nonnegative(), text: z.string() }),
  type('reasoning.done', { turn, text: z.string() }),
  type('message.reset', { turn, why: z.string().describe('What was streamed of this turn is withdrawn.') }),
  type('tool.started', {
    turn,
    callId: z.string(),
    tool: z.string(),
    title: z.string(),
    location: executionLocation,
    arguments: jsonObject.nullable(),
    originalArguments: jsonObject
      .nullable()
      .optional()
      .describe('What the model had asked for; only there when a person has changed it.'),
  }),
  type('tool.progress', {
    callId: z.string(),
    progress: z.number().min(0).max(1).nullable().describe('Null: under way, the whole is not known.'),
    message: z.string().nullable(),
  }),
  type('tool.result', {
    callId: z.string(),
    summary: z.string().nullable(),
    artifactIds: z.array(z.string()),
    visibility,
  }),
  type('tool.failed', {
    callId: z.string(),
    status: z.enum(['failed', 'expired', 'cancelled', 'superseded', 'unknown']),
    error: runError,
  }),
  type('tool.declined', { callId: z.string(), reason: z.string().nullable() }),
  type('interrupt.opened', { interrupt: interruptView }),
  type('interrupt.leased', { interruptId: z.string(), lease: interruptLease }),
  type('interrupt.answered', { interruptId: z.string(), by: answeredBy }),
  type('interrupt.closed', { interruptId: z.string(), why: interruptClosedWhy }),
  type('artifact.created', { artifact: artifactView }),
  type('usage', { turn, usage, total: usage }),
  type('notice', { code: z.string(), message: z.string() }),
]);
export type EventBody = z.infer<typeof eventBody>;
export type EventType = EventBody['type'];

/** What is stored in the log: the body, and whose it is. The sequence number is the entry's own id. */
export const messageEvent = z.intersection(
  z.object({ runId: z.string(), messageId: z.string(), at: z.iso.datetime() }),
  eventBody,
);
export type MessageEvent = EventBody & { runId: string; messageId: string; at: string };

/** What a reader may get besides the log's entries: a hole that cannot be filled, and the state after it. */
export const gapEvent = z.object({ type: z.literal('gap'), from: z.string(), to: z.string() });
export const snapshotEvent = z.object({ type: z.literal('snapshot'), message: messageView });
/** The pieces of a finished text, `from` and `to` included, which the whole text follows. For readers that ask for it. */
export const foldedEvent = z.object({ type: z.literal('folded'), from: z.string(), to: z.string() });
export type FoldedEvent = z.infer<typeof foldedEvent>;
export type GapEvent = z.infer<typeof gapEvent>;
export type SnapshotEvent = z.infer<typeof snapshotEvent>;

/** One entry as a reader receives it. `seq` is `<epoch>-<n>`, the `id:` of the SSE frame. */
export type StreamEntry = { seq: string } & (MessageEvent | GapEvent | SnapshotEvent | FoldedEvent);

/** The entries of a thread's own log: how a second tab or device learns of the next run. */
export const threadEvent = z.discriminatedUnion('type', [
  type('thread.run_created', {
    threadId: z.string(),
    runId: z.string(),
    messageId: z.string(),
    userMessageId: z.string(),
    at: z.iso.datetime(),
  }),
  type('thread.run_finished', {
    threadId: z.string(),
    runId: z.string(),
    messageId: z.string(),
    at: z.iso.datetime(),
  }),
  type('thread.head_moved', {
    threadId: z.string(),
    messageId: z
      .string()
      .nullable()
      .describe('The new head: the path to show ends there. Null: it is empty.'),
    at: z.iso.datetime(),
  }),
  type('artifact.updated', {
    threadId: z.string(),
    artifact: artifactView.describe('As it is now: a new version of it was made.'),
    author: artifactAuthor,
    at: z.iso.datetime(),
  }),
]);
export type ThreadEvent = z.infer<typeof threadEvent>;
