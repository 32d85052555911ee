/**
 * Prisma's schema engine without its download: the WebAssembly build from the package registry, talking to
 * Postgres through the `pg` driver adapter. It writes and reads the same `_prisma_migrations` table as the
 * Prisma command line, so `prisma migrate deploy` and these scripts can take turns.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { MigrationAdapter } from './migration-adapter.mjs';

let started = false;

/** Node 20 cannot import a .wasm file as a module, so the two halves are joined here. */
function startWasm() {
  if (started) return;
  const main = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const bytes = readFileSync(main.replace(/schema_engine\.js$/, 'schema_engine_bg.wasm'));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    './schema_engine_bg.js': withoutLingeringTimers(bindings),
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  started = true;
}

/** The engine guards its lock with a ten-second timer that it never clears; the process must not wait for it. */
function withoutLingeringTimers(imports) {
  const entries = Object.entries(imports).map(([name, imported]) => {
    if (!name.startsWith('__wbg_setTimeout_')) return [name, imported];
    return [
      name,
      (...args) => {
        const timer = imported(...args);
        timer?.unref?.();
        return timer;
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** Runs `use(engine)` with an engine connected to `url`, and closes what it opened. */
export async function withSchemaEngine({ url, datamodels }, use) {
  startWasm();
  const adapter = new MigrationAdapter({ connectionString: url });
  const engine = await bindings.SchemaEngine.new(
    { datamodels },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
  try {
    return await use(engine);
  } finally {
    engine.free();
    await adapter.close();
  }
}

/** The engine throws text or an Error; either way the database's own words come first, its own stack after. */
export function engineMessage(error) {
  const text = typeof error === 'string' ? error : (error?.message ?? String(error));
  return text
    .split(/\n\s+0: /)[0]
    .replace('external connector error', '')
    .trim();
}
