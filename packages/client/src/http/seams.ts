/** Gives the bearer token. `refresh` is true when the server refused the last one. */
export type Auth = (options: { refresh: boolean }) => string | Promise<string>;

/** Does one HTTP call for the client: the host signs it, sends it, and hands back the response. */
export type RequestSeam = (url: string, init: RequestInit) => Promise<Response>;
