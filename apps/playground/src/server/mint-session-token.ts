import { type SessionTokenRequest, type SessionTokenResponse, sessionTokenResponse } from '@plinth/protocol';

export type PlinthAccess = { url: string; apiKey: string; timeoutMs: number };

export type Minted =
  | { ok: true; session: SessionTokenResponse }
  | {
      ok: false;
      status: 502 | 504;
      code: 'plinth_unreachable' | 'plinth_timeout' | 'plinth_refused';
      detail: string;
    };

/**
 * Asks Plinth for a short-lived token of one end user. This is the only place that uses the API key;
 * what goes back to the page is the token alone.
 */
export async function mintSessionToken(plinth: PlinthAccess, wanted: SessionTokenRequest): Promise<Minted> {
  const endpoint = `${plinth.url}/v1/session-tokens`;
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${plinth.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
      signal: AbortSignal.timeout(plinth.timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return refused(
        `Plinth answered ${response.status} to a request for a session token. ${hintFor(response.status)}`,
      );
    }
    const session = sessionTokenResponse.safeParse(await response.json());
    return session.success
      ? { ok: true, session: session.data }
      : refused('Plinth answered with something that is not a session token. Check PLINTH_URL.');
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      const detail = `Plinth gave no session token within ${plinth.timeoutMs} ms. Try again.`;
      return { ok: false, status: 504, code: 'plinth_timeout', detail };
    }
    if (error instanceof SyntaxError)
      return refused('Plinth answered with something that is not JSON. Check PLINTH_URL.');
    const detail = 'Plinth cannot be reached. Check that it runs and that PLINTH_URL names it.';
    return { ok: false, status: 502, code: 'plinth_unreachable', detail };
  }
}

function refused(detail: string): Minted {
  return { ok: false, status: 502, code: 'plinth_refused', detail };
}

function hintFor(status: number): string {
  return status === 401 || status === 403 ? 'Check PLINTH_API_KEY.' : 'Try again.';
}
