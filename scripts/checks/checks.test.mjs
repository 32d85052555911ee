import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { statementsOf, surfaceOf } from './api-surface.mjs';
import { measureBundle } from './measure-bundle.mjs';

const directory = mkdtempSync(join(tmpdir(), 'plinth-checks-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function write(name, text) {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

describe('the public types', () => {
  it('are the exported names with their declarations, wherever they stand, without comments', () => {
    write(
      'inner.d.ts',
      '/** A cup. */\nexport type Cup = {\n    /** In ml. */\n    volume: number;\n};\nexport type Other = 1;\n',
    );
    write('again.d.ts', "export { type Cup } from './inner.js';\n");
    const index = write(
      'index.d.ts',
      "import type { Cup } from './inner.js';\nexport { type Cup, } from './again.js';\nexport { x } from 'elsewhere';\nexport declare function pour(cup: Cup): void;\n",
    );
    expect(Object.fromEntries(surfaceOf(index))).toEqual({
      Cup: ['export type Cup = {\n    volume: number;\n};'],
      x: ["export { x } from 'elsewhere';"],
      pour: ['export declare function pour(cup: Cup): void;'],
    });
  });

  it('keep the overloads of a function together', () => {
    const index = write(
      'overloads.d.ts',
      'export declare function a(x: 1): 1;\nexport declare function a(x: 2): 2;\n',
    );
    expect(surfaceOf(index).get('a')).toHaveLength(2);
    expect(statementsOf('export {};\n')).toEqual(['export {};']);
  });
});

describe('the size of an entry', () => {
  it('leaves the environment as it was, also several at once: the tests that are started next take their packages by it', () => {
    // In a process of its own, as `npm test` is: here the runner has set it.
    const script = `
      const { measureBundle } = await import(${JSON.stringify(new URL('measure-bundle.mjs', import.meta.url).href)});
      const one = () => measureBundle({ imports: ['@plinth/client'], external: [] });
      await Promise.all([one(), one(), one()]);
      console.log(String(process.env.NODE_ENV));`;
    const { NODE_ENV: _set, ...env } = process.env;
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env });
    expect(said.toString().trim()).toBe('undefined');
  });

  it('is what is loaded at once, lazy parts and external packages left out', async () => {
    const random = (length) => Array.from({ length }, () => Math.random().toString(36).slice(2)).join('');
    write('lazy.js', `export const big = '${random(5_000)}';`);
    const entry = write(
      'entry.js',
      `import { x } from 'elsewhere';\nexport const text = '${random(100)}' + x;\nexport const later = () => import('./lazy.js');`,
    );
    const { bytes, modules } = await measureBundle({ imports: [entry], external: ['elsewhere'] });
    expect(bytes).toBeGreaterThan(500);
    expect(bytes).toBeLessThan(5_000);
    expect(modules.some((id) => id.endsWith('entry.js'))).toBe(true);
    expect(modules.some((id) => id.endsWith('lazy.js'))).toBe(false);
  });

  it('tells when the code of the protocol comes along', async () => {
    const { modules } = await measureBundle({ imports: ['@plinth/protocol'], external: [] });
    expect(modules.some((id) => id.includes('/packages/protocol/'))).toBe(true);
  });
});
