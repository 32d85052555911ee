import { readdirSync, readFileSync } from 'node:fs';
import {
  agentDefinition,
  BUILTIN_DEFAULTS,
  mcpServerDefinition,
  tenantConfig,
  toolDefinition,
} from '@plinth/protocol';
import { describe, expect, test } from 'vitest';

const folder = new URL('../../plinth/', import.meta.url);
const JOBS_URL = 'http://127.0.0.1:3001';
const COMFYUI_URL = 'http://127.0.0.1:8188';

/** Reads a file as the seed does: `${VARS}` are filled in first. */
function read(path: string): unknown {
  const text = readFileSync(new URL(path, folder), 'utf8')
    .replace(/\$\{PLAYGROUND_JOBS_URL\}/g, JOBS_URL)
    .replace(/\$\{PLAYGROUND_JOBS_HOST\}/g, new URL(JOBS_URL).host)
    .replace(/\$\{COMFYUI_URL\}/g, COMFYUI_URL)
    .replace(/\$\{COMFYUI_HOST\}/g, new URL(COMFYUI_URL).host);
  expect(text).not.toContain('${');
  return JSON.parse(text);
}

/** What a builtin leaves out is filled in, as the registry does it. */
function readTool(name: string) {
  const raw = read(`tools/${name}`) as { executor: { name?: string } };
  return toolDefinition.parse({ ...Object(Reflect.get(BUILTIN_DEFAULTS, raw.executor.name ?? '')), ...raw });
}

const tools = readdirSync(new URL('tools/', folder)).map(readTool);
const toolOf = (key: string) => {
  const tool = tools.find((one) => one.key === key);
  if (tool === undefined) throw new Error(`no tool ${key}`);
  return tool;
};

describe("the business's configuration", () => {
  test('the tenant and its configuration are valid', () => {
    const tenant = read('tenant.json') as { key: string; config: unknown };
    expect(tenant.key).toBe('poster-studio');
    tenantConfig.parse(tenant.config);
  });

  test('the agent offers exactly the tools that are there, and its instructions name each', () => {
    const agent = agentDefinition.parse(read('agent.json'));
    expect(agent.key).toBe('poster-studio');
    expect([...agent.tools].sort()).toEqual(tools.map((tool) => tool.key).sort());
    for (const key of agent.tools) expect(agent.instructions).toContain(key);
  });

  test('two steps wait for a component of the page, one is a confirmed remote job', () => {
    expect(toolOf('choose_style').executor).toMatchObject({ kind: 'component', component: 'StylePicker' });
    expect(toolOf('poster_details').executor).toMatchObject({ kind: 'component', component: 'PosterForm' });
    expect(toolOf('generate_poster')).toMatchObject({
      executor: {
        kind: 'remote',
        url: `${JOBS_URL}/jobs/poster`,
        cancelUrl: `${JOBS_URL}/jobs/poster/cancel`,
      },
      requireConfirmation: 'always',
      idempotent: true,
      waitTimeoutSeconds: 900,
      result: { open: 'auto' },
    });
  });

  test('a text is written, edited and read by builtins, and opens by itself', () => {
    for (const name of ['write_document', 'edit_document', 'get_artifact'])
      expect(toolOf(name).executor).toEqual({ kind: 'builtin', name });
    expect(toolOf('write_document').result).toMatchObject({ open: 'auto' });
  });

  test('music is made by a workflow, and opens by itself', () => {
    expect(toolOf('compose_jingle')).toMatchObject({
      executor: { kind: 'comfyui', hosts: [COMFYUI_URL], outputs: [{ node: '13', as: 'files' }] },
      requireConfirmation: 'never',
      result: { open: 'auto' },
    });
  });

  test('a campaign uses seven kinds of executors', () => {
    const kinds = new Set(tools.map(({ executor }) => executor.kind));
    expect([...kinds].sort()).toEqual([
      'builtin',
      'comfyui',
      'component',
      'frontend',
      'http',
      'mcp',
      'remote',
    ]);
  });

  test('the tools of the brand book name the server that is registered', () => {
    const servers = readdirSync(new URL('mcp-servers/', folder)).map((name) => name.replace(/\.json$/, ''));
    expect(mcpServerDefinition.parse(read('mcp-servers/brand.json')).transport).toMatchObject({
      kind: 'streamable_http',
      url: `${JOBS_URL}/mcp/brand`,
    });
    for (const { executor } of tools) if (executor.kind === 'mcp') expect(servers).toContain(executor.server);
  });

  test('what the form submits is what the drawing takes', () => {
    const { executor } = toolOf('poster_details');
    if (executor.kind !== 'component') throw new Error('poster_details is a component tool');
    const form = executor.submit.properties as Record<string, { description?: string }>;
    const drawing = toolOf('generate_poster').parameters.properties as Record<
      string,
      { description?: string }
    >;
    expect(['style', ...Object.keys(form)]).toEqual(Object.keys(drawing));
    for (const [name, schema] of Object.entries(form)) {
      const { description: _forTheModel, ...rules } = drawing[name] ?? {};
      expect(rules).toEqual(schema);
    }
  });
});
