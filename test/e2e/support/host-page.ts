import { ROOT } from '@plinth/testkit/system';
import type { BrowserContext } from 'playwright-core';
import { build } from 'vite';

export interface HostFiles {
  script: string;
  style: string;
}

/** The host's page, of the sources of the SDK and React as it is for development: only there StrictMode mounts twice. */
export async function buildHostPage(): Promise<HostFiles> {
  const built = await build({
    root: `${ROOT}test/e2e/host-page`,
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    resolve: { conditions: ['@plinth/source', 'module', 'browser', 'development'] },
    define: { 'process.env.NODE_ENV': '"development"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      minify: false,
      cssTarget: ['chrome123'],
      rolldownOptions: { input: 'main.tsx', output: { codeSplitting: false } },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const script = outputs.find((one) => one.type === 'chunk');
  const style = outputs.find((one) => one.fileName.endsWith('.css'));
  if (script?.type !== 'chunk' || style?.type !== 'asset') throw new Error('the host page was not built');
  return { script: script.code, style: String(style.source) };
}

const HTML = `<!doctype html><meta charset="utf-8"><title>Host</title><link rel="stylesheet" href="style.css">
<style>html, body { margin: 0 } main { display: grid; grid-template-rows: auto auto 1fr; height: 95dvh }</style>
<div id="root"></div><script type="module" src="main.js"></script>`;

/**
 * Serves the host's page to the tabs of a person, at the platform's own origin.
 *
 * @param token the host's back end: gives this person's token, and a fresh one when the last was refused
 */
export async function serveHostPage(
  context: BrowserContext,
  origin: string,
  { script, style }: HostFiles,
  token: (refresh: boolean) => Promise<string>,
): Promise<void> {
  const files: Record<string, { contentType: string; body: string }> = {
    '/host/': { contentType: 'text/html', body: HTML },
    '/host/style.css': { contentType: 'text/css', body: style },
    '/host/main.js': { contentType: 'text/javascript', body: script },
  };
  await context.route(`${origin}/host/**`, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const file = files[pathname];
    if (file) return route.fulfill(file);
    const body = await token(searchParams.get('refresh') === 'true');
    return route.fulfill({ contentType: 'text/plain', body });
  });
}
