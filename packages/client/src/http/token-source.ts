import { PlinthClientError } from '../errors/plinth-client-error.js';
import type { Auth } from './seams.js';

/** The bearer token in use. Any number of refused calls ask the host for one new token together. */
export type TokenSource = {
  current(): Promise<string>;
  /** The token after `refused`: the one that somebody else has fetched meanwhile, or a new one. */
  after(refused: string): Promise<string>;
};

export function createTokenSource(auth: Auth): TokenSource {
  let token: Promise<string> | null = null;

  function ask(refresh: boolean): Promise<string> {
    const asked: Promise<string> = askHost(auth, refresh).catch((error: unknown) => {
      // A failure is not kept: the next call asks again.
      if (token === asked) token = null;
      throw error;
    });
    token = asked;
    return asked;
  }

  return {
    current: () => token ?? ask(false),
    async after(refused) {
      const used = token;
      if (used && (await used) !== refused) return used;
      // Two calls may have waited for the same refused token; the first of them has replaced it.
      return token && token !== used ? token : ask(true);
    },
  };
}

async function askHost(auth: Auth, refresh: boolean): Promise<string> {
  try {
    return await auth({ refresh });
  } catch (error) {
    const message =
      'The host gave no session token. Check the `auth` function that was passed to createPlinth.';
    throw new PlinthClientError({ code: 'auth_failed', message, cause: error });
  }
}
