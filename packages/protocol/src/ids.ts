/** Identifier types. A branded string cannot be passed where another kind of id is wanted. */
declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type TenantId = Id<'tenant'>;
export type EndUserId = Id<'end-user'>;
export type ThreadId = Id<'thread'>;
export type MessageId = Id<'message'>;
export type RunId = Id<'run'>;
export type CallId = Id<'call'>;
export type InterruptId = Id<'interrupt'>;
export type ArtifactId = Id<'artifact'>;
export type AgentVersionId = Id<'agent-version'>;

/** What every generated id starts with, so that a person (and a log search) sees what it names. */
export const ID_PREFIX = {
  tenant: 'ten',
  apiKey: 'key',
  agent: 'agt',
  agentVersion: 'agv',
  tool: 'tool',
  skill: 'skl',
  thread: 'thr',
  message: 'msg',
  run: 'run',
  call: 'tc',
  interrupt: 'int',
  artifact: 'art',
  upload: 'upl',
} as const;

export type IdKind = keyof typeof ID_PREFIX;
