'use client';
import { selectToolQuestions } from '@plinth/client';
import type { InterruptView } from '@plinth/protocol';
import { useMemo } from 'react';
import { type ThreadRef, useThreadSelection, useThreadSession } from './use-thread-session.js';

export type ToolQuestion = {
  /** The tool, its title, and the arguments that it would be carried out with. */
  interrupt: Extract<InterruptView, { kind: 'frontend' }>;
  allow(): void;
  /** The model is told, with the reason. */
  deny(reason?: string): void;
};

/** What this page would do for the model if its person allows it: frontend tools with the permission `ask`. */
export function useToolQuestions(thread: ThreadRef): ToolQuestion[] {
  const session = useThreadSession(thread);
  const interrupts = useThreadSelection(session, selectToolQuestions);
  return useMemo(
    () =>
      interrupts.map((interrupt) => ({
        interrupt,
        allow: () => session.allowTool(interrupt.id),
        deny: (reason) => session.denyTool(interrupt.id, reason),
      })),
    [session, interrupts],
  );
}
