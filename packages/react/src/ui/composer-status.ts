import type { ThreadState } from '@plinth/client';
import { selectOpenInterrupts, selectRun } from '@plinth/client';
import type { InterruptKind } from '@plinth/protocol';
import type { UiStrings } from './strings.js';

/** What the composer may do now, and what it tells the person about it. */
export type ComposerStatus = { canSend: boolean; canStop: boolean; text: string | null };

/** What the person can act on counts more than what goes on by itself. */
const ORDER: readonly InterruptKind[] = ['component', 'confirmation', 'question', 'frontend', 'callback'];

/** A working run takes no message; a run that only waits is closed by one, and the person is told so before. */
export function composerStatus(state: ThreadState, strings: UiStrings): ComposerStatus {
  const run = selectRun(state);
  const active = run?.active === true;
  const reachable = state.phase === 'new' || state.phase === 'ready';
  if (state.sending) return { canSend: false, canStop: false, text: strings.sending };
  if (!active) return { canSend: reachable, canStop: false, text: null };
  if (run.status !== 'interrupted') return { canSend: false, canStop: true, text: strings.working };
  const open = selectOpenInterrupts(state).map((interrupt) => interrupt.kind);
  const asks = Object.keys(state.toolQuestions).length > 0;
  if (asks) return { canSend: true, canStop: true, text: strings.waitingForPermission };
  const kind = ORDER.find((one) => open.includes(one));
  return { canSend: true, canStop: true, text: kind === undefined ? null : strings.waitingFor[kind] };
}
