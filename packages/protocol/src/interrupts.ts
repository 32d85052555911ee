import { z } from 'zod';
import { jsonObject, jsonValue } from './json.js';

export const interruptKind = z.enum(['confirmation', 'component', 'callback', 'question', 'frontend']);
export type InterruptKind = z.infer<typeof interruptKind>;

export const interruptState = z.enum(['open', 'answered', 'closed']);
export type InterruptState = z.infer<typeof interruptState>;

/** Why an interrupt closed without an answer. `settled`: its call got its result in another way. */
export const interruptClosedWhy = z.enum(['expired', 'cancelled', 'superseded', 'settled']);
export type InterruptClosedWhy = z.infer<typeof interruptClosedWhy>;

/** Who gave the answer, as shown to the person who came second. */
export const answeredBy = z.object({
  kind: z.enum(['end_user', 'api_key', 'remote', 'platform']),
  id: z.string(),
});
export type AnsweredBy = z.infer<typeof answeredBy>;

export const rememberOffer = z.enum(['once', 'thread', 'never']);
export type RememberOffer = z.infer<typeof rememberOffer>;

/** The hold of one page on a `frontend` interrupt: it runs the tool, and nobody else does before it ends. */
export const interruptLease = z.object({
  clientId: z.string().describe('The page, by the id that it made for itself.'),
  since: z.iso.datetime().describe('When the page took it. Until when it holds is told to who asks for it.'),
});
export type InterruptLeaseView = z.infer<typeof interruptLease>;

const base = {
  id: z.string(),
  callId: z.string(),
  tool: z.string(),
  title: z.string(),
  state: interruptState,
  openedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  answeredBy: answeredBy.nullable(),
  answeredAt: z.iso.datetime().nullable(),
  closedWhy: interruptClosedWhy.nullable(),
};

/** A typed wait of one tool call, as a client sees it. */
export const interruptView = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('confirmation'),
    arguments: jsonObject.describe('The stored arguments. What is approved is what runs.'),
    schema: jsonObject.describe('JSON Schema of the arguments, for an editor.'),
    argumentsDigest: z
      .string()
      .describe('SHA-256 of the canonical JSON of the arguments: an answer may name what it approves.'),
    remember: rememberOffer.describe(
      'What `remember` in the answer would do: for this run, for this thread, or nothing (it is refused).',
    ),
  }),
  z.object({
    ...base,
    kind: z.literal('component'),
    component: z.string().describe('The name under which the host registered its component.'),
    props: jsonObject,
    schema: jsonObject.describe('JSON Schema that a submission must satisfy.'),
  }),
  z.object({ ...base, kind: z.literal('callback') }),
  z.object({
    ...base,
    kind: z.literal('question'),
    arguments: jsonObject.describe('What the call was started with. Whether it took effect is not known.'),
    schema: jsonObject.describe('JSON Schema of the arguments, for labels.'),
  }),
  z.object({
    ...base,
    kind: z.literal('frontend'),
    expiresAt: z.null().describe('Its lease moves it: no fixed time.'),
    handler: z.string().describe('The name under which the host registered its handler.'),
    arguments: jsonObject,
    lease: interruptLease.nullable().describe('The page that runs it; null while none does.'),
  }),
]);
export type InterruptView = z.infer<typeof interruptView>;

/** What a person knows of a call whose outcome the platform does not know. */
export const knownOutcome = z.enum(['happened', 'did_not_happen', 'unknown']);
export type KnownOutcome = z.infer<typeof knownOutcome>;

const clientId = z.string().min(8).max(100).describe('That of the lease: another page is answered with 409.');

/**
 * What closes an interrupt: `approve` and `decline` for confirmations, `submit` and `decline` for components,
 * `resolve` for questions, `result`, `failure` and `decline` for frontend tools.
 */
export const answer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('approve'),
    arguments: jsonObject.optional().describe('Edited arguments. Checked again before anything runs.'),
    argumentsDigest: z
      .string()
      .max(100)
      .optional()
      .describe('That of the arguments that were shown. Refused with 409 when the call has others.'),
    remember: z
      .boolean()
      .optional()
      .describe('Do not ask again for this tool, as far as the confirmation offers it.'),
  }),
  z.object({ type: z.literal('decline'), reason: z.string().max(2000).optional() }),
  z.object({ type: z.literal('submit'), value: jsonValue }),
  z.object({
    type: z.literal('resolve'),
    outcome: knownOutcome.describe(
      '`happened`: the call has succeeded. `did_not_happen`: it is carried out now. `unknown`: the model is told so.',
    ),
    note: z.string().max(2000).optional().describe('For the model.'),
  }),
  z.object({ type: z.literal('result'), clientId, value: jsonValue }),
  z.object({
    type: z.literal('failure'),
    clientId,
    error: z.object({ code: z.string().min(1).max(100), message: z.string().max(2000) }),
  }),
]);
export type Answer = z.infer<typeof answer>;

const callbackFile = z.object({
  name: z.string().min(1).max(200),
  contentType: z.string().max(200).optional().describe('A hint. The kind is detected from the bytes.'),
  base64: z.base64(),
});

/** What a remote job posts to its one-time callback URL. */
export const callbackResult = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('succeeded'),
    result: jsonValue.default(null),
    files: z.array(callbackFile).max(16).default([]),
  }),
  z.object({
    status: z.literal('failed'),
    error: z.object({ code: z.string().min(1).max(100), message: z.string().max(2000) }),
  }),
]);
export type CallbackResult = z.infer<typeof callbackResult>;

/** What a remote job may post any number of times before its callback. */
export const callbackProgress = z.object({
  progress: z.number().min(0).max(1),
  message: z.string().max(500).optional(),
});
export type CallbackProgress = z.infer<typeof callbackProgress>;
