import { createPlinth, type Plinth } from '@plinth/client';
import { shareAcrossTabs } from '@plinth/client/tabs';
import { sessionTokenResponse } from './session-token.js';
import { visitorSettings } from './visitor-settings.js';

const SESSION_URL = '/playground/api/session';

/**
 * The page's one client. Plinth is on the page's own origin; the token comes from this business's own
 * backend, which knows the visitor by a cookie that no script can read.
 */
export const plinth: Plinth = createPlinth({
  baseUrl: '',
  frontendTools: { visitorSettings },
  // A browser is one visitor here. A page where people sign in gives the person's id.
  shareStreams: shareAcrossTabs({ scope: 'visitor' }),
  auth: async () => {
    const response = await fetch(SESSION_URL, { method: 'POST' });
    if (!response.ok) throw new Error(`${SESSION_URL} answered ${response.status}`);
    return sessionTokenResponse(await response.json());
  },
});
