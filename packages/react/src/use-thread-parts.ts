'use client';
import {
  type ChatMessage,
  type RunState,
  selectArtifacts,
  selectOpenInterrupts,
  selectRun,
  type ThreadState,
} from '@plinth/client';
import type { ArtifactView, InterruptView } from '@plinth/protocol';
import { type ThreadRef, useThreadSelection } from './use-thread-session.js';

const selectMessages = (state: ThreadState): readonly ChatMessage[] => state.messages;

/** The messages of a thread, oldest first. Render them by `key`. */
export function useMessages(thread: ThreadRef): readonly ChatMessage[] {
  return useThreadSelection(thread, selectMessages);
}

/** The thread's active run, or else its last one. Does not change while text streams in. */
export function useRun(thread: ThreadRef): RunState | null {
  return useThreadSelection(thread, selectRun);
}

/** What the active run waits for. */
export function useInterrupts(thread: ThreadRef): InterruptView[] {
  return useThreadSelection(thread, selectOpenInterrupts);
}

/** All artifacts of the thread, newest first. */
export function useArtifacts(thread: ThreadRef): ArtifactView[] {
  return useThreadSelection(thread, selectArtifacts);
}
