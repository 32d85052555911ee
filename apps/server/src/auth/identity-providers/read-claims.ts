import type { ClaimCondition, ClaimPath } from '@plinth/protocol';

export type Claims = Readonly<Record<string, unknown>>;

/** The claim at the end of a path; undefined when it is not there. */
export function claimAt(claims: Claims, path: ClaimPath): unknown {
  let at: unknown = claims;
  for (const name of typeof path === 'string' ? [path] : path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Claims)[name];
  }
  return at;
}

/** Whether the claim is the value, is a list with it, or a text that has it between blanks, as `scope` does. */
export function holds(claims: Claims, { claim, value }: ClaimCondition): boolean {
  const found = claimAt(claims, claim);
  if (found === value) return true;
  if (Array.isArray(found)) return found.includes(value);
  return typeof found === 'string' && typeof value === 'string' && found.split(' ').includes(value);
}

/** The texts of a claim: those of a list, or those between the blanks of a text. */
export function textsOf(claim: unknown): string[] {
  if (Array.isArray(claim)) return claim.filter((one): one is string => typeof one === 'string');
  return typeof claim === 'string' ? claim.split(' ').filter((one) => one !== '') : [];
}
