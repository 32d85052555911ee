import type { AnsweredBy, InterruptClosedWhy, InterruptView } from '@plinth/protocol';
import type { PlinthClientError } from '../errors/plinth-client-error.js';
import { markAnswered, markClosed } from '../message/interrupts.js';
import type { ChatMessage } from './thread-state.js';

type Change = (interrupts: InterruptView[]) => InterruptView[];

/** Shows an accepted answer before its event arrives, so that the form does not flash open again. */
export function showAnswered(
  messages: readonly ChatMessage[],
  interruptId: string,
  at: string,
): ChatMessage[] {
  return changeInterrupt(messages, interruptId, (interrupts) =>
    markAnswered(interrupts, interruptId, { by: null, at }),
  );
}

/** Shows what a refusal tells of the interrupt: who came first, or that it closed. Other refusals leave it open. */
export function showRefused(
  messages: readonly ChatMessage[],
  interruptId: string,
  error: PlinthClientError,
  at: string,
): readonly ChatMessage[] {
  const { by, answeredAt, why } = error.facts;
  if (error.code === 'interrupt_already_answered') {
    const answered = {
      by: isAnsweredBy(by) ? by : null,
      at: typeof answeredAt === 'string' ? answeredAt : at,
    };
    return changeInterrupt(messages, interruptId, (interrupts) =>
      markAnswered(interrupts, interruptId, answered),
    );
  }
  if (error.code === 'interrupt_closed') {
    return changeInterrupt(messages, interruptId, (interrupts) =>
      markClosed(interrupts, interruptId, isWhy(why) ? why : null),
    );
  }
  return messages;
}

function changeInterrupt(
  messages: readonly ChatMessage[],
  interruptId: string,
  change: Change,
): ChatMessage[] {
  return messages.map((message) =>
    message.role === 'assistant' && message.view.interrupts.some((interrupt) => interrupt.id === interruptId)
      ? { ...message, view: { ...message.view, interrupts: change(message.view.interrupts) } }
      : message,
  );
}

const KINDS: readonly unknown[] = [
  'end_user',
  'api_key',
  'remote',
  'platform',
] satisfies AnsweredBy['kind'][];
const WHYS: readonly unknown[] = [
  'expired',
  'cancelled',
  'superseded',
  'settled',
] satisfies InterruptClosedWhy[];

function isAnsweredBy(value: unknown): value is AnsweredBy {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id } = value as Partial<AnsweredBy>;
  return KINDS.includes(kind) && typeof id === 'string';
}

const isWhy = (value: unknown): value is InterruptClosedWhy => WHYS.includes(value);
