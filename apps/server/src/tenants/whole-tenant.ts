import type { Viewer } from '@plinth/engine';

/** The viewer of work that is not for one end user: back ends, workers, set-up. */
export const WHOLE_TENANT: Viewer = { endUserId: null };
