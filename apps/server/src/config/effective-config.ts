import { type FieldError, type TenantConfig, tenantConfig } from '@plinth/protocol';
import { fieldErrorsOf } from '../tenants/field-errors.js';

/** Settings as somebody wrote them: any part of a `TenantConfig`. */
export type ConfigLayer = Readonly<Record<string, unknown>>;

export type EffectiveConfig = { ok: true; values: TenantConfig } | { ok: false; fields: FieldError[] };

/**
 * What holds when these layers are laid over each other, the last one on top. Objects are merged, everything
 * else replaces what is below; what no layer names has its default.
 */
export function effectiveConfig(layers: readonly ConfigLayer[]): EffectiveConfig {
  const parsed = tenantConfig.safeParse(layers.reduce(laidOver, {}));
  return parsed.success
    ? { ok: true, values: parsed.data }
    : { ok: false, fields: fieldErrorsOf(parsed.error) };
}

function laidOver(below: ConfigLayer, above: ConfigLayer): ConfigLayer {
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const under = merged.get(key);
    merged.set(key, isLayer(under) && isLayer(value) ? laidOver(under, value) : value);
  }
  // Unlike assignment, this makes "__proto__" a member like any other, which the schema then refuses.
  return Object.fromEntries(merged);
}

function isLayer(value: unknown): value is ConfigLayer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
