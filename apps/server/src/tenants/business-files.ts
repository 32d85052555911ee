import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AgentDefinition, McpServerDefinition, SkillDefinition, ToolDefinition } from '@plinth/protocol';
import { z } from 'zod';
import { checkAgent } from '../agents/check-agent.js';
import { type ConfigLayer, effectiveConfig } from '../config/effective-config.js';
import { checkTool } from '../tools/check-tool.js';
import { checkMcpServer } from '../tools/mcp/mcp-servers.js';
import { type Checked, DEFINITION_FILE, readDefinition, type Variables } from './definition-file.js';
import { fieldErrorsOf } from './field-errors.js';
import { readSkillFile } from './skill-file.js';

/**
 * A business as files describe it, each in YAML or JSON: `tenant`, one `agent` or any number in `agents/`, one tool each
 * in `tools/`, one MCP server each in `mcp-servers/` under its key; and `skills/<key>.md`.
 */
export interface Business {
  tenant: { key: string; name: string; config: ConfigLayer };
  agents: AgentDefinition[];
  tools: ToolDefinition[];
  mcpServers: { key: string; definition: McpServerDefinition }[];
  skills: SkillDefinition[];
}

/** `problems` has one line for each thing that is wrong, in any of the files. */
export type BusinessFiles = { ok: true; business: Business } | { ok: false; problems: string[] };

const tenantFile = z.strictObject({
  key: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'lower-case letters, digits and -, at most 64'),
  name: z.string().min(1).max(100),
  config: z.record(z.string(), z.unknown()).default({}),
});

/** Reads and checks the files of a directory, all of them, so that every problem is told at once. */
export async function readBusinessFiles(directory: string, variables: Variables): Promise<BusinessFiles> {
  const problems: string[] = [];
  const readAll = async <Value>(names: string[], check: (raw: unknown) => Checked<Value>) => {
    const values: { name: string; value: Value; lineOf: (path: string) => number }[] = [];
    for (const name of names) {
      const read = await readDefinition(join(directory, name), name, variables, check);
      if (read.ok) values.push({ name, ...read });
      else problems.push(...read.problems);
    }
    return values;
  };
  /** Two files of one key: the second would silently take the place of the first. */
  const unique = <Value extends { key: string }>(
    files: { name: string; value: Value; lineOf: (path: string) => number }[],
  ): Value[] => {
    const names = new Map<string, string>();
    for (const { name, value, lineOf } of files) {
      const first = names.get(value.key);
      if (first === undefined) names.set(value.key, name);
      else problems.push(`${name}:${lineOf('key')}: key "${value.key}" is that of ${first} already`);
    }
    return files.map(({ value }) => value);
  };

  const tenantNames = await filesNamed(directory, 'tenant');
  if (tenantNames.length !== 1)
    problems.push(
      tenantNames.length === 0
        ? 'tenant.yaml or tenant.json: is not there'
        : `${tenantNames.join(' and ')}: there must be one of them`,
    );
  const tenants = await readAll(tenantNames, checkTenant);
  const agentNames = [...(await filesNamed(directory, 'agent')), ...(await filesIn(directory, 'agents'))];
  if (agentNames.length === 0) problems.push('agent.yaml or agents/: there is no agent');
  const agents = unique(await readAll(agentNames, agentOf));
  const tools = unique(await readAll(await filesIn(directory, 'tools'), toolOf));
  const mcpServers: Business['mcpServers'] = [];
  for (const name of await filesIn(directory, 'mcp-servers')) {
    const key = basename(name).replace(DEFINITION_FILE, '');
    const read = await readAll([name], (raw) => serverOf(key, raw));
    mcpServers.push(...read.map(({ value }) => value));
  }
  const skills = await readSkills(directory, problems);
  const [tenant] = tenants;
  if (problems.length > 0 || tenant === undefined) return { ok: false, problems };
  return { ok: true, business: { tenant: tenant.value, agents, tools, mcpServers, skills } };
}

const entries = async (directory: string): Promise<string[]> =>
  (await readdir(directory).catch(() => [])).filter((name) => DEFINITION_FILE.test(name)).sort();

const filesNamed = async (directory: string, base: string): Promise<string[]> =>
  (await entries(directory)).filter((name) => name.replace(DEFINITION_FILE, '') === base);

const filesIn = async (directory: string, folder: string): Promise<string[]> =>
  (await entries(join(directory, folder))).map((name) => join(folder, name));

function agentOf(raw: unknown): Checked<AgentDefinition> {
  const checked = checkAgent(raw);
  return checked.ok ? { ok: true, value: checked.agent } : checked;
}

function toolOf(raw: unknown): Checked<ToolDefinition> {
  const checked = checkTool(raw);
  return checked.ok ? { ok: true, value: checked.tool } : checked;
}

function serverOf(key: string, raw: unknown): Checked<Business['mcpServers'][number]> {
  const checked = checkMcpServer(key, raw);
  return checked.ok ? { ok: true, value: { key, definition: checked.definition } } : checked;
}

/** A skill is prose for the model: ${…} in it is what it says. */
async function readSkills(directory: string, problems: string[]): Promise<SkillDefinition[]> {
  const skills: SkillDefinition[] = [];
  const names = await readdir(join(directory, 'skills')).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.md')).sort()) {
    const path = join('skills', name);
    const found = readSkillFile(name.slice(0, -3), await readFile(join(directory, path), 'utf8'));
    if (found.ok) skills.push(found.value);
    else
      problems.push(
        ...found.fields.map(({ path: at, message }) => `${path}: ${at === '' ? '' : `${at} `}${message}`),
      );
  }
  return skills;
}

function checkTenant(raw: unknown): Checked<Business['tenant']> {
  const parsed = tenantFile.safeParse(raw);
  if (!parsed.success) return { ok: false, fields: fieldErrorsOf(parsed.error) };
  const effective = effectiveConfig([parsed.data.config]);
  if (effective.ok) return { ok: true, value: parsed.data };
  return {
    ok: false,
    fields: effective.fields.map(({ path, message }) => ({
      path: path === '' ? 'config' : `config.${path}`,
      message,
    })),
  };
}
