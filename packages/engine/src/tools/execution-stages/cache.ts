import type { JsonValue, ToolDefinition } from '@plinth/protocol';
import type { Execution } from '../../runs/plan-calls.js';
import { within } from '../../within.js';
import { digestOf } from '../definition-digest.js';
import {
  type ExecutionStage,
  type ExecutionStageContext,
  GO_ON,
  type OutcomeStage,
} from './execution-stage.js';

/** Milliseconds for the cache to answer: a result of the tool itself must not come much later because of it. */
const PATIENCE_MS = 1_000;
/** Bytes of the longest result that is kept. */
const LONGEST_RESULT = 64 * 1024;

interface Rule {
  ttlSeconds: number;
  shared?: boolean | undefined;
}

function ruleOf({ cache }: ToolDefinition): Rule | null {
  return cache === undefined || cache === 'none' ? null : cache;
}

/**
 * Names what a result depends on: the tool's whole definition, the arguments however they were written, and who asks,
 * unless the tool says that the result is the same for everybody.
 */
function keyOf({ tool, arguments: values }: Execution, rule: Rule, { run }: ExecutionStageContext): string {
  const whose = rule.shared === true ? null : run.endUserId;
  return digestOf([tool.key, digestOf(tool), values, whose]);
}

/** A result of the same call that is still good takes the place of the execution. */
export const cachedResult: ExecutionStage = async (execution, context) => {
  const rule = ruleOf(execution.tool);
  if (rule === null) return GO_ON;
  const { tenant, run, clock, observer, cache } = context;
  try {
    const reading = cache.get(tenant, keyOf(execution, rule, context));
    const text = await within(clock, PATIENCE_MS, 'the cache of results', reading);
    if (text === null) return GO_ON;
    const value = JSON.parse(text) as JsonValue;
    return { do: 'answer', outcome: { kind: 'succeeded', value, files: [], fromCache: true } };
  } catch (error) {
    const doing = `read the cached result of ${execution.tool.key}`;
    observer.problem(tenant, { runId: run.id, doing }, error);
    return GO_ON;
  }
};

/**
 * Keeps a result for the next call that is the same. Failures are never kept; nor are results with files or pictures,
 * which belong to the thread that they were made in. Nobody waits for it.
 */
export const keepResult: OutcomeStage = async (outcome, execution, context) => {
  const rule = ruleOf(execution.tool);
  if (rule === null || outcome.kind !== 'succeeded') return outcome;
  if (outcome.files.length > 0 || (outcome.shows ?? []).length > 0) return outcome;
  const text = JSON.stringify(outcome.value);
  if (Buffer.byteLength(text) > LONGEST_RESULT) return outcome;
  const { tenant, run, observer, cache } = context;
  cache.put(tenant, keyOf(execution, rule, context), text, rule.ttlSeconds).catch((error: unknown) => {
    observer.problem(tenant, { runId: run.id, doing: `keep the result of ${execution.tool.key}` }, error);
  });
  return outcome;
};
