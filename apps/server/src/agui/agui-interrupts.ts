import type { Interrupt, ResumeEntry } from '@ag-ui/core';
import {
  type Answer,
  type InterruptView,
  type JsonValue,
  jsonObject,
  knownOutcome,
  PlinthError,
} from '@plinth/protocol';
import { z } from 'zod';

/** Interrupts that a person answers: they end an AG-UI run with the outcome `interrupt`. */
export type AskingInterrupt = Extract<InterruptView, { kind: 'confirmation' | 'component' | 'question' }>;

export function isAsking(interrupt: InterruptView): interrupt is AskingInterrupt {
  return interrupt.kind === 'confirmation' || interrupt.kind === 'component' || interrupt.kind === 'question';
}

const note = z.string().max(2000).optional();
const approval = z.strictObject({
  approved: z.boolean(),
  editedArgs: jsonObject.optional(),
  reason: note,
  remember: z.boolean().optional(),
});
const outcome = z.strictObject({ outcome: knownOutcome, note });

/**
 * What a resume entry says, as JSON Schema. That of a component is the tool's own. That of a confirmation does not say all
 * that is refused (other fields, a reason of more than 2000 characters): it is in the words that AG-UI itself gives for an
 * approval, since clients (assistant-ui) offer their own buttons only where they know every keyword.
 */
function responseSchemaOf(interrupt: AskingInterrupt): Record<string, unknown> {
  if (interrupt.kind === 'component') return interrupt.schema;
  if (interrupt.kind === 'question')
    return {
      type: 'object',
      properties: {
        outcome: { type: 'string', enum: knownOutcome.options },
        note: { type: 'string', maxLength: 2000 },
      },
      required: ['outcome'],
      additionalProperties: false,
    };
  return {
    type: 'object',
    properties: {
      approved: { type: 'boolean' },
      editedArgs: interrupt.schema,
      reason: { type: 'string' },
      ...(interrupt.remember === 'never' ? {} : { remember: { type: 'boolean' } }),
    },
    required: ['approved'],
  };
}

/** What a client needs to show it, beside what AG-UI has a place for. */
function aboutOf(interrupt: AskingInterrupt): Record<string, unknown> {
  const { kind, tool } = interrupt;
  if (kind === 'component') return { kind, tool, component: interrupt.component, props: interrupt.props };
  return { kind, tool, arguments: interrupt.arguments };
}

const REASON = {
  confirmation: 'tool_call',
  component: 'input_required',
  question: 'plinth:outcome_unknown',
} as const;

export function toAguiInterrupt(interrupt: AskingInterrupt): Interrupt {
  const { id, kind, title, callId, expiresAt } = interrupt;
  return {
    id,
    reason: REASON[kind],
    message: title,
    toolCallId: callId,
    responseSchema: responseSchemaOf(interrupt),
    ...(expiresAt === null ? {} : { expiresAt }),
    metadata: { plinth: aboutOf(interrupt) },
  };
}

/**
 * The answer that a resume entry gives to an interrupt of this kind. Whether a submission or edited arguments fit their
 * schema is for the door to say.
 *
 * @throws PlinthError invalid_request, naming each field of the payload
 */
export function answerOf(kind: AskingInterrupt['kind'], entry: ResumeEntry, index: number): Answer {
  const isCancelled = entry.status === 'cancelled';
  const payloadOf = <T extends z.ZodType>(schema: T): z.output<T> =>
    parsePayload(schema, entry.payload, `resume.${index}.payload`);
  switch (kind) {
    case 'confirmation': {
      if (isCancelled) return { type: 'decline' };
      const { approved, editedArgs, reason, remember } = payloadOf(approval);
      if (!approved) return { type: 'decline', ...(reason === undefined ? {} : { reason }) };
      return {
        type: 'approve',
        ...(editedArgs === undefined ? {} : { arguments: editedArgs }),
        ...(remember === undefined ? {} : { remember }),
      };
    }
    case 'component':
      return isCancelled
        ? { type: 'decline' }
        : { type: 'submit', value: (entry.payload ?? null) as JsonValue };
    case 'question': {
      if (isCancelled) return { type: 'resolve', outcome: 'unknown' };
      const answered = payloadOf(outcome);
      return {
        type: 'resolve',
        outcome: answered.outcome,
        ...(answered.note === undefined ? {} : { note: answered.note }),
      };
    }
  }
}

/** @throws PlinthError invalid_request */
function parsePayload<T extends z.ZodType>(schema: T, payload: unknown, place: string): z.output<T> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => ({
    path: [place, ...path].join('.'),
    message,
  }));
  const named = fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new PlinthError('invalid_request', `Correct and send again: ${named}.`, {}, fields);
}

/** The place of a refused field in the request that it came by. */
export function fieldOfResume(path: string, index: number): string {
  return path.replace(/^answer\.(value|arguments|remember)/, (_, part: string) => {
    const inPayload = { value: '', arguments: '.editedArgs', remember: '.remember' }[part] ?? '';
    return `resume.${index}.payload${inPayload}`;
  });
}
