/** Vitest calls this once a run. Services are started when a project that needs them is part of the run. */
import { generate } from '../generate.mjs';
import { ensureChromium } from '../services/chromium.mjs';

export default async function setup(root) {
  await generate({ log: console.log });
  const names = root.vitest.projects.map(({ name }) => name);
  const inBrowser = names.includes('e2e') || names.includes('peers');
  if (!names.includes('integration') && !inBrowser) return undefined;
  const chromium = inBrowser ? await ensureChromium() : undefined;
  // Not at the top: a run of unit tests alone needs neither the drivers nor the migrations.
  const { startTestServices } = await import('./test-services.mjs');
  const services = await startTestServices({ log: () => {} });
  root.provide('plinth', {
    ...services.provided,
    chromium: typeof chromium === 'string' ? chromium : null,
  });
  return () => services.stop();
}
