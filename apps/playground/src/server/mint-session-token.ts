import { createPlinthServer, PlinthClientError } from '@plinth/client/server';
import { type SessionTokenRequest, type SessionTokenResponse, sessionTokenResponse } from '@plinth/protocol';

export type PlinthAccess = { url: string; apiKey: string; timeoutMs: number };

type Refusal = {
  status: 502 | 504;
  code: 'plinth_unreachable' | 'plinth_timeout' | 'plinth_refused';
  detail: string;
};
export type Minted = { ok: true; session: SessionTokenResponse } | ({ ok: false } & Refusal);

/**
 * Asks Plinth for a short-lived token of one end user. This is the only place that uses the API key;
 * what goes back to the page is the token alone.
 */
export async function mintSessionToken(
  { url, apiKey, timeoutMs }: PlinthAccess,
  wanted: SessionTokenRequest,
): Promise<Minted> {
  const plinth = createPlinthServer({ baseUrl: url, apiKey, timeoutMs });
  try {
    const session = sessionTokenResponse.safeParse(await plinth.mintSessionToken(wanted));
    if (session.success) return { ok: true, session: session.data };
    return {
      ok: false,
      ...refused('Plinth answered with something that is not a session token. Check PLINTH_URL.'),
    };
  } catch (error) {
    if (!PlinthClientError.isInstance(error)) throw error;
    return { ok: false, ...refusalOf(error, timeoutMs) };
  }
}

function refusalOf({ code, status }: PlinthClientError, timeoutMs: number): Refusal {
  switch (code) {
    case 'timeout': {
      const detail = `Plinth gave no session token within ${timeoutMs} ms. Try again.`;
      return { status: 504, code: 'plinth_timeout', detail };
    }
    case 'network': {
      const detail = 'Plinth cannot be reached. Check that it runs and that PLINTH_URL names it.';
      return { status: 502, code: 'plinth_unreachable', detail };
    }
    case 'invalid_response':
      return refused('Plinth answered with something that is not JSON. Check PLINTH_URL.');
    default:
      return refused(
        `Plinth answered ${status} to a request for a session token. ${
          status === 401 || status === 403 ? 'Check PLINTH_API_KEY.' : 'Try again.'
        }`,
      );
  }
}

const refused = (detail: string): Refusal => ({ status: 502, code: 'plinth_refused', detail });
