'use client';
import {
  type InterruptStatus,
  type PlinthClientError,
  selectInterruptStatus,
  type ThreadState,
} from '@plinth/client';
import type {
  Answer,
  FieldError,
  InterruptView,
  JsonObject,
  JsonValue,
  KnownOutcome,
} from '@plinth/protocol';
import { type ComponentType, useMemo } from 'react';
import type { ComponentInterrupt, ComponentToolProps } from './component-tool-props.js';
import { useComponentTools } from './use-component-tool.js';
import { type ThreadRef, useThreadSelection, useThreadSession } from './use-thread-session.js';

export type InterruptHandle = {
  status: InterruptStatus;
  /** Why the last answer was refused; `interrupt_already_answered` when somebody else came first. */
  error: PlinthClientError | null;
  errors: FieldError[];
  /**
   * For confirmations. Edited arguments are checked again before anything runs. `remember`: do not ask again, as far as
   * the interrupt's own `remember` offers it.
   */
  approve(editedArguments?: JsonObject, options?: { remember?: boolean }): void;
  /** For component tools. */
  submit(value: JsonValue): void;
  decline(reason?: string): void;
  /** For questions: what the person knows of a call whose outcome is not known. */
  resolve(outcome: KnownOutcome, note?: string): void;
};

const NO_ERRORS: FieldError[] = [];

/** The state of one interrupt and the ways to answer it. A refusal is in `error`, nothing is thrown. */
export function useInterrupt(thread: ThreadRef, interrupt: InterruptView): InterruptHandle {
  const session = useThreadSession(thread);
  const select = useMemo(
    () => (state: ThreadState) => ({
      status: selectInterruptStatus(state, interrupt),
      error: state.answerErrors[interrupt.id] ?? null,
    }),
    [interrupt],
  );
  const { status, error } = useThreadSelection(session, select);

  return useMemo(() => {
    const give = (answer: Answer): void => {
      // The refusal is kept in the state, where `error` comes from.
      session.answer(interrupt.id, answer).catch(() => undefined);
    };
    return {
      status,
      error,
      errors: error?.fields ?? NO_ERRORS,
      approve: (edited, { remember = false } = {}) =>
        give({
          type: 'approve',
          ...(edited ? { arguments: edited } : {}),
          ...(remember ? { remember } : {}),
        }),
      submit: (value) => give({ type: 'submit', value }),
      decline: (reason) => give(reason ? { type: 'decline', reason } : { type: 'decline' }),
      resolve: (outcome, note) =>
        give(note ? { type: 'resolve', outcome, note } : { type: 'resolve', outcome }),
    };
  }, [session, interrupt.id, status, error]);
}

/** The host's component for an interrupt with the props it gets; null when none is registered under its name. */
export function useComponentSlot(
  thread: ThreadRef,
  interrupt: ComponentInterrupt,
): { Component: ComponentType<ComponentToolProps> | null; componentProps: ComponentToolProps } {
  const tools = useComponentTools();
  const { status, errors, submit, decline } = useInterrupt(thread, interrupt);
  const componentProps = useMemo(
    () => ({ interrupt, props: interrupt.props, submit, decline, status, errors }),
    [interrupt, submit, decline, status, errors],
  );
  return { Component: tools[interrupt.component] ?? null, componentProps };
}
