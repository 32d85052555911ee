import type { JsonObject, JsonValue } from '@plinth/protocol';
import type { StandardSchema } from './standard-schema.js';

export type FrontendToolContext = {
  interruptId: string;
  callId: string;
  /** Aborts when nobody wants the result any more: the run was cancelled, or another page has taken over. */
  signal: AbortSignal;
};

type Result = JsonValue | undefined | Promise<JsonValue | undefined>;

/**
 * What this page does for a tool with the executor `frontend`. What it returns is the tool's result; what it throws is told
 * to the model, with the error's `code` when that is a text.
 */
export type FrontendTool = (args: JsonObject, context: FrontendToolContext) => Result;

/** By the `handler` that the tools' definitions name. Each may be done without asking, and its arguments are not checked here. */
export type FrontendTools = Readonly<Record<string, FrontendTool>>;

/**
 * `allow`: at once. `ask`: when the person has said yes, see `selectToolQuestions`; asked by a page that is in sight.
 * `deny`: never; the model is told.
 */
export type ToolPermission = 'allow' | 'ask' | 'deny';

/** A frontend tool that checks its arguments and may need the person's leave. */
export type FrontendToolSpec<Args = JsonObject> = {
  /** The `handler` that the tool's definition names. */
  name: string;
  /** Zod or any other Standard Schema. Arguments that do not fit are told to the model, and nothing is done. */
  parameters?: StandardSchema<Args>;
  /** Default `allow`. */
  permission?: ToolPermission;
  /** What it returns is the result; what it throws is told to the model, with the error's `code` when that is a text. */
  execute(args: Args, context: FrontendToolContext): Result;
};
