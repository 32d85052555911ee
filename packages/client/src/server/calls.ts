import type { Client, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch';
import type { components, paths } from './generated/api.js';

type Api = Client<paths>;

/** What has a name in the API document: `Schemas['Run']`. */
export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'delete';

/** What lasts as long as its reader is no call: `createPlinth` follows it. */
type Streamed = `${string}/events` | `${string}/agui`;

/** Paths of the API that have this method. */
export type PathOf<M extends Method> = Exclude<ClientPathsWithMethod<Api, M>, Streamed>;

export type CallOptions = {
  /** Makes a repeat harmless, where the endpoint takes one: the same key with the same request gets the same answer. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Milliseconds, from the start to the last byte of the answer. Default: that of the client. */
  timeoutMs?: number;
};

type InitOf<P extends PathOf<M>, M extends Method> = MaybeOptionalInit<paths[P], M>;

/** What a call is given: `{ params: { path, query, header }, body }` as the API document has them, and `CallOptions`. */
export type InputOf<P extends PathOf<M>, M extends Method> = Pick<
  NonNullable<InitOf<P, M>>,
  Extract<keyof NonNullable<InitOf<P, M>>, 'params' | 'body' | 'parseAs'>
> &
  CallOptions;

type Given<P extends PathOf<M>, M extends Method> =
  undefined extends InitOf<P, M> ? [input?: InputOf<P, M>] : [input: InputOf<P, M>];

/** What an endpoint answers with when it succeeds. */
export type AnswerOf<P extends PathOf<M>, M extends Method> = MethodResponse<Api, M, P>;

/** One call of the API. Resolves with what it answers; rejects with a `PlinthClientError`. */
export type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...given: Given<P, M>
) => Promise<AnswerOf<P, M>>;
