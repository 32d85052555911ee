import { createHash } from 'node:crypto';
import type { TenantId } from '@plinth/protocol';

/**
 * How a call's prompt is named at its host: always the same, so that whoever takes the call over finds it. The id has
 * the form of a UUID (version 8 of RFC 9562: made from a hash), since hosts expect one.
 */
export function promptNames(tenant: TenantId, callId: string): { promptId: string; clientId: string } {
  const hash = createHash('sha256').update(`comfyui\n${tenant}\n${callId}`).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  const promptId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { promptId, clientId: `plinth-${hash.toString('hex', 16)}` };
}

/** The largest whole number that JSON keeps exactly in every language, and that ComfyUI takes as a seed. */
const MAX_SEED = 2 ** 53 - 1;

/** A seed of its own for each call: repeated when the call is sent again, so that it stays the same job. */
export function seedOf(tenant: TenantId, callId: string): number {
  const hash = createHash('sha256').update(`seed\n${tenant}\n${callId}`).digest();
  return Number(hash.readBigUInt64BE(0) & BigInt(MAX_SEED));
}
