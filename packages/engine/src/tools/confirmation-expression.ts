import { type ASTNode, Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { JsonObject } from '@plinth/protocol';

/**
 * Conditions over the arguments of a call, in the Common Expression Language (CEL): no loops, no side effects, nothing
 * but `arguments` in sight, and interpreted, never compiled to code. What a hostile argument could make expensive is
 * refused when the tool is registered: regular expressions (one can hold a worker for ever), and a walk of a list
 * inside the walk of another one.
 */
const environment = new Environment({ limits: { maxAstNodes: 200, maxDepth: 20 } }).registerVariable(
  'arguments',
  'map<string, dyn>',
);

const WALKS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
/** Parsed expressions by text: definitions are few and immutable. */
const parsed = new Map<string, ParseResult>();
const MOST_PARSED = 2000;

function parse(expression: string): ParseResult {
  const known = parsed.get(expression);
  if (known) return known;
  const made = environment.parse(expression);
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(expression, made);
  return made;
}

/** Why a tool with this condition is not registered; null when it may be. */
export function conditionProblem(expression: string): string | null {
  try {
    const checked = environment.check(expression);
    if (!checked.valid) return firstLineOf(checked.error);
    if (checked.type !== 'bool' && checked.type !== 'dyn')
      return `must say true or false, not a ${checked.type}`;
    const { ast } = parse(expression);
    if (calls(ast).some(({ name }) => name === 'matches'))
      return 'must not use regular expressions: compare with ==, startsWith, endsWith or contains';
    if (nestedWalks(ast) > 1) return 'must not walk a list inside the walk of another one';
    return null;
  } catch (error) {
    return firstLineOf(error);
  }
}

/**
 * Whether the condition holds for these arguments. One that cannot be decided (a field that is not there, a value of
 * another kind) counts as holding: then a person is asked.
 */
export function conditionHolds(expression: string, values: JsonObject): boolean {
  try {
    return parse(expression)({ arguments: values }) !== false;
  } catch {
    return true;
  }
}

interface Call {
  name: string;
  parts: unknown[];
}

function callOf(node: Pick<ASTNode, 'op' | 'args'>): Call | null {
  if (node.op !== 'call' && node.op !== 'rcall') return null;
  const [name, ...parts] = node.args as [string, ...unknown[]];
  return { name, parts };
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function childrenOf(value: unknown): unknown[] {
  if (isNode(value)) return [value.args].flat(1);
  return Array.isArray(value) ? value : [];
}

function calls(value: unknown): Call[] {
  const own = isNode(value) ? callOf(value) : null;
  return [...(own ? [own] : []), ...childrenOf(value).flatMap(calls)];
}

/** How deep walks of lists stand inside each other. */
function nestedWalks(value: unknown): number {
  const below = Math.max(0, ...childrenOf(value).map(nestedWalks));
  const own = isNode(value) ? callOf(value) : null;
  return below + (own && WALKS.has(own.name) ? 1 : 0);
}

function firstLineOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? message;
}
