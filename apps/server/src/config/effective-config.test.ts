import { DEFAULT_TENANT_CONFIG } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { effectiveConfig } from './effective-config.js';

const valuesOf = (...layers: Record<string, unknown>[]) => {
  const effective = effectiveConfig(layers);
  if (!effective.ok) throw new Error(JSON.stringify(effective.fields));
  return effective.values;
};

describe('the effective configuration', () => {
  test('without layers it is the defaults', () => {
    expect(valuesOf()).toEqual(DEFAULT_TENANT_CONFIG);
  });

  test('the last layer wins, setting by setting', () => {
    const values = valuesOf(
      { model: { name: 'a', temperature: 0 } },
      { budgets: { maxTurns: 3 } },
      { model: { name: 'b' } },
    );
    expect(values.model).toEqual({ ...DEFAULT_TENANT_CONFIG.model, name: 'b', temperature: 0 });
    expect(values.budgets.maxTurns).toBe(3);
  });

  test('the layers stay as they were', () => {
    const below = { model: { name: 'a' } };
    valuesOf(below, { model: { temperature: 1 } });
    expect(below).toEqual({ model: { name: 'a' } });
  });

  test('a layer cannot change what all objects have', () => {
    effectiveConfig([
      JSON.parse('{"__proto__": {"polluted": true}}'),
      JSON.parse('{"__proto__": {"polluted": true}}'),
    ]);
    expect('polluted' in {}).toBe(false);
  });

  test('every field that does not hold is named', () => {
    const effective = effectiveConfig([{ model: { temperature: 3, nmae: 'x' }, ttl: 7 }]);
    expect(effective.ok ? [] : effective.fields.map(({ path }) => path).sort()).toEqual([
      'model',
      'model.temperature',
      'ttl',
    ]);
  });
});
