import type { RunView } from '@plinth/protocol';
import { PlinthClientError } from '../errors/plinth-client-error.js';
import { selectActiveView } from './select-thread.js';
import type { ThreadTools } from './thread-tools.js';

/** Stops the active run. The state follows from the run's own events; one that has ended is no error. */
export async function cancelRun({ http, store }: ThreadTools): Promise<void> {
  const view = selectActiveView(store.getState());
  if (!view) return;
  try {
    await http.post<RunView>(`/v1/runs/${encodeURIComponent(view.runId)}/cancel`, {});
  } catch (error) {
    if (!PlinthClientError.isInstance(error) || error.code !== 'run_already_ended') throw error;
  }
}
