import { z } from 'zod';
import { attachmentInput, attachmentView } from './attachments.js';
import { answer } from './interrupts.js';
import { messageView } from './message-view.js';
import { endReason, runStatus, usage } from './run-status.js';

const MOST_ATTACHMENTS = 10;

export const userInput = z
  .object({
    text: z.string().trim().max(100_000).default('').describe('May be left out when something is attached.'),
    attachments: z
      .array(attachmentInput)
      .max(MOST_ATTACHMENTS)
      .default([])
      .describe(`What goes with the message, in this order. ${MOST_ATTACHMENTS} at most.`),
  })
  .superRefine(({ text, attachments }, context) => {
    if (text === '' && attachments.length === 0)
      context.addIssue({ code: 'custom', path: ['text'], message: 'write something, or attach something' });
  });

/** An id in a body. Which one it is, the ledger knows. */
const idText = z.string().regex(/^[\x21-\x7e]{1,100}$/, 'must be an id');

export const onBusy = z
  .enum(['supersede', 'reject'])
  .describe(
    'When a run of the thread only waits: close it as superseded, or refuse with 409. A working run always refuses.',
  );
export type OnBusy = z.infer<typeof onBusy>;

export const startRunRequest = z.strictObject({
  agent: z.string().min(1).max(64).describe('Key of the agent; its newest published version is used.'),
  input: userInput,
  onBusy: onBusy.default('supersede'),
});
export type StartRunRequest = z.input<typeof startRunRequest>;

export const retryRunRequest = z.strictObject({
  agentVersion: z
    .enum(['newest', 'same'])
    .default('newest')
    .describe('The newest published version of the agent, or the very one that answered before.'),
  threadId: idText
    .optional()
    .describe('A fork that shares the message, to answer there. Left out: the thread of the run.'),
  onBusy: onBusy.default('supersede'),
});
export type RetryRunRequest = z.input<typeof retryRunRequest>;

export const startRunResponse = z.object({
  runId: z.string(),
  messageId: z.string(),
  threadId: z.string(),
  userMessageId: z.string(),
});
export type StartRunResponse = z.infer<typeof startRunResponse>;

export const answerRequest = z.strictObject({
  requestId: z
    .string()
    .min(8)
    .max(100)
    .describe('Made by the caller; the same id gets the same response again.'),
  answer,
});
export type AnswerRequest = z.infer<typeof answerRequest>;

export const answerResponse = z.object({
  interruptId: z.string(),
  runId: z.string(),
  messageId: z.string(),
  answeredAt: z.iso.datetime(),
});
export type AnswerResponse = z.infer<typeof answerResponse>;

export const leaseRequest = z.strictObject({
  clientId: z
    .string()
    .min(8)
    .max(100)
    .describe('Made by the page, anew each time that it is loaded. The same id renews its lease.'),
});
export type LeaseRequest = z.infer<typeof leaseRequest>;

export const leaseResponse = z.object({
  interruptId: z.string(),
  runId: z.string(),
  clientId: z.string(),
  until: z.iso.datetime(),
  renewAfterMs: z.number().int().positive().describe('Milliseconds after which to renew it.'),
});
export type LeaseResponse = z.infer<typeof leaseResponse>;

export const runView = z.object({
  id: z.string(),
  threadId: z.string(),
  messageId: z.string(),
  agent: z.string(),
  agentVersion: z.number().int(),
  status: runStatus,
  reason: endReason.nullable(),
  usage,
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type RunView = z.infer<typeof runView>;

export const threadOrigin = z.object({
  threadId: z.string().describe('The thread in which the last message that both share was written.'),
  messageId: z.string().describe('That message: the fork goes on from it.'),
  title: z.string().nullable().describe('The title of that thread as it is now.'),
});
export type ThreadOrigin = z.infer<typeof threadOrigin>;

export const threadView = z.object({
  id: z.string(),
  title: z.string().nullable(),
  forkedFrom: threadOrigin.nullable().describe('Where a fork comes from. Null: it began by itself.'),
  headMessageId: z.string().nullable(),
  activeRunId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type ThreadView = z.infer<typeof threadView>;

const nodeBase = {
  id: z.string(),
  parentId: z.string().nullable(),
  siblings: z
    .array(z.string())
    .describe(
      'The branches at this place: the messages of the tree with the same parent and role, oldest first, this one included.',
    ),
  createdAt: z.iso.datetime(),
};

/** One node of a thread's tree as the chat shows it. Shadow and internal nodes are left out. */
export const threadMessage = z.discriminatedUnion('role', [
  z.object({
    ...nodeBase,
    role: z.literal('user'),
    text: z.string().describe('Empty when only something was attached.'),
    attachments: z.array(attachmentView).optional().describe('Left out when there are none.'),
  }),
  z.object({ ...nodeBase, role: z.literal('assistant'), view: messageView }),
]);
export type ThreadMessage = z.infer<typeof threadMessage>;

export const createThreadRequest = z.strictObject({ title: z.string().trim().min(1).max(200).optional() });
export type CreateThreadRequest = z.infer<typeof createThreadRequest>;

const treeMessage = idText.describe("A message of the thread's tree, on any branch.");

export const moveHeadRequest = z.strictObject({
  messageId: treeMessage
    .nullable()
    .describe(
      "A message of the thread's tree, on any branch. Null: before all of them; the next run begins anew.",
    ),
  onBusy: onBusy.default('reject'),
});
export type MoveHeadRequest = z.input<typeof moveHeadRequest>;

export const branchView = z.object({
  messageId: z.string().describe('The message that the branch begins with.'),
  tipMessageId: z
    .string()
    .describe(
      'Where it ends: the newest child of the newest child, and so on. The message itself, if nothing follows.',
    ),
});
export type BranchView = z.infer<typeof branchView>;

export const forkThreadRequest = z.strictObject({
  messageId: treeMessage,
  title: createThreadRequest.shape.title.describe('Left out: the title of the thread that is forked.'),
});
export type ForkThreadRequest = z.infer<typeof forkThreadRequest>;

/** A page of a list, newest first unless said otherwise. `nextCursor` is null on the last page. */
export const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });
export type Page<T> = { items: T[]; nextCursor: string | null };

export const sessionTokenRequest = z.strictObject({
  endUserId: z.string().min(1).max(200).describe("The business's own user id."),
  ttlSeconds: z.number().int().min(30).max(86_400).default(900).describe('Life of the token in seconds.'),
  agent: z.string().max(64).optional().describe('When given, the token starts runs of this agent only.'),
  scopes: z
    .array(z.enum(['debug']))
    .max(1)
    .default([])
    .describe('`debug`: the page may see how requests to the model were made. Default none.'),
});
export type SessionTokenRequest = z.input<typeof sessionTokenRequest>;

export const sessionTokenResponse = z.object({ token: z.string(), expiresAt: z.iso.datetime() });
export type SessionTokenResponse = z.infer<typeof sessionTokenResponse>;
