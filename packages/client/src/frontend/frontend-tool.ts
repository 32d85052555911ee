import type { JsonObject, JsonValue } from '@plinth/protocol';

export type FrontendToolContext = {
  interruptId: string;
  callId: string;
  /** Aborts when nobody wants the result any more: the run was cancelled, or another page has taken over. */
  signal: AbortSignal;
};

/**
 * What this page does for a tool with the executor `frontend`. What it returns is the tool's result; what it throws is told
 * to the model, with the error's `code` when that is a text.
 */
export type FrontendTool = (
  args: JsonObject,
  context: FrontendToolContext,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

/** By the `handler` that the tools' definitions name. */
export type FrontendTools = Readonly<Record<string, FrontendTool>>;
