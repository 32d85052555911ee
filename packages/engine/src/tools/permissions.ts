import type { AgentPermissionRule, PermissionEffect, PermissionRule } from '@plinth/protocol';

/** What the rules say about one call, and where that stands. Kept on the receipt. */
export interface Permission {
  effect: PermissionEffect;
  /** Of the tenant's configuration that was asked. */
  revision: number;
  /** The rule that decided, as a path: `tools.permissions.3` (tenant) or `permissions.0` (agent). Null: no rule. */
  rule: string | null;
}

/** The rules in force, of the present configuration of the tenant and of the agent's version. */
export interface PermissionRules {
  tenant: readonly PermissionRule[];
  agent: readonly AgentPermissionRule[];
  revision: number;
}

/** Who wants to call. */
export interface Caller {
  agent: string;
  endUser: string;
}

const STRICTNESS: Record<PermissionEffect, number> = { allow: 0, ask: 1, deny: 2 };

interface Candidate {
  rule: PermissionRule;
  path: string;
}

/**
 * What the rules say. Those that fit the tool, the agent and the end user are ranked, and the first one decides:
 *
 * 1. by whom they name: agent and end user, end user, agent, nobody. An agent's own rules name that agent;
 * 2. then by the tool: its key, then a pattern with more characters beside `*`;
 * 3. at equal rank the stricter one: deny, ask, allow.
 *
 * The order in which they are written means nothing. Without a rule that fits, a call is allowed.
 */
export function permissionOf(tool: string, caller: Caller, rules: PermissionRules): Permission {
  const candidates: Candidate[] = [
    ...rules.tenant.map((rule, index) => ({ rule, path: `tools.permissions.${index}` })),
    ...rules.agent.map((rule, index) => ({
      rule: { ...rule, agent: caller.agent },
      path: `permissions.${index}`,
    })),
  ];
  const fitting = candidates.filter(({ rule }) => fits(rule, tool, caller));
  const [first] = fitting.sort((a, b) => compareRanks(rankOf(b.rule), rankOf(a.rule)));
  return {
    effect: first?.rule.effect ?? 'allow',
    revision: rules.revision,
    rule: first?.path ?? null,
  };
}

function fits(rule: PermissionRule, tool: string, caller: Caller): boolean {
  return (
    (rule.agent === undefined || rule.agent === caller.agent) &&
    (rule.endUser === undefined || rule.endUser === caller.endUser) &&
    matchesPattern(rule.tool, tool)
  );
}

/** Whether a key fits a pattern in which `*` stands for any characters, none included. */
export function matchesPattern(pattern: string, key: string): boolean {
  const [head = '', ...parts] = pattern.split('*');
  const tail = parts.pop();
  if (tail === undefined) return pattern === key;
  if (!key.startsWith(head) || !key.endsWith(tail) || key.length < head.length + tail.length) return false;
  // The first place where a part fits leaves the most room for those after it.
  let rest = key.slice(head.length, key.length - tail.length);
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}

type Rank = readonly [whom: number, isKey: number, letters: number, strictness: number];

function rankOf({ agent, endUser, tool, effect }: PermissionRule): Rank {
  const whom = (endUser === undefined ? 0 : 2) + (agent === undefined ? 0 : 1);
  return [whom, tool.includes('*') ? 0 : 1, tool.replaceAll('*', '').length, STRICTNESS[effect]];
}

function compareRanks(a: Rank, b: Rank): number {
  const differs = a.findIndex((value, index) => value !== b[index]);
  return differs < 0 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0);
}
