/** Injection tokens of what is not a class of its own. */
export const DOOR_PORTS = Symbol('plinth:door-ports');
export const LEDGER = Symbol('plinth:ledger');
export const AGENT_CATALOG = Symbol('plinth:agent-catalog');
export const CLOCK = Symbol('plinth:clock');
export const ARTIFACT_STORE = Symbol('plinth:artifact-store');
export const READINESS = Symbol('plinth:readiness');
export const API_DOCUMENT = Symbol('plinth:api-document');
/** An `AbortSignal` that aborts when the process begins to close. */
export const SHUTDOWN = Symbol('plinth:shutdown');
