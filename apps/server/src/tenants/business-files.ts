import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type {
  AgentDefinition,
  FieldError,
  McpServerDefinition,
  SkillDefinition,
  ToolDefinition,
} from '@plinth/protocol';
import { z } from 'zod';
import { checkAgent } from '../agents/check-agent.js';
import { type ConfigLayer, effectiveConfig } from '../config/effective-config.js';
import { checkTool } from '../tools/check-tool.js';
import { checkMcpServer } from '../tools/mcp/mcp-servers.js';
import { fieldErrorsOf } from './field-errors.js';
import { readSkillFile } from './skill-file.js';

/**
 * A business as files describe it: `tenant.json`, `agent.json`, `tools/*.json`, `mcp-servers/<key>.json`, and
 * `skills/<key>.md`.
 */
export interface Business {
  tenant: { key: string; name: string; config: ConfigLayer };
  agent: AgentDefinition;
  tools: ToolDefinition[];
  mcpServers: { key: string; definition: McpServerDefinition }[];
  skills: SkillDefinition[];
}

/** `problems` has one line for each thing that is wrong, in any of the files. */
export type BusinessFiles = { ok: true; business: Business } | { ok: false; problems: string[] };

type Checked<Value> = { ok: true; value: Value } | { ok: false; fields: FieldError[] };
type Variables = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)\}/g;
const tenantFile = z.strictObject({
  key: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'lower-case letters, digits and -, at most 64'),
  name: z.string().min(1).max(100),
  config: z.record(z.string(), z.unknown()).default({}),
});

/** Reads and checks the files of a directory. `${NAME}` in their texts stands for the variable of that name. */
export async function readBusinessFiles(directory: string, variables: Variables): Promise<BusinessFiles> {
  const problems: string[] = [];
  const read = async <Value>(name: string, check: (raw: unknown) => Checked<Value>): Promise<Value[]> => {
    const found = await readChecked(join(directory, name), variables, check);
    if (found.ok) return [found.value];
    problems.push(
      ...found.fields.map(({ path, message }) => `${name}: ${path === '' ? '' : `${path} `}${message}`),
    );
    return [];
  };
  const [tenant] = await read('tenant.json', checkTenant);
  const [agent] = await read('agent.json', (raw) => {
    const checked = checkAgent(raw);
    return checked.ok ? { ok: true, value: checked.agent } : checked;
  });
  const tools: ToolDefinition[] = [];
  for (const name of await filesIn(join(directory, 'tools'), '.json')) {
    const found = await read(join('tools', name), (raw) => {
      const checked = checkTool(raw);
      return checked.ok ? { ok: true, value: checked.tool } : checked;
    });
    tools.push(...found);
  }
  const mcpServers: Business['mcpServers'] = [];
  for (const name of await filesIn(join(directory, 'mcp-servers'), '.json')) {
    const key = basename(name, '.json');
    const found = await read(join('mcp-servers', name), (raw) => {
      const checked = checkMcpServer(key, raw);
      return checked.ok ? { ok: true, value: { key, definition: checked.definition } } : checked;
    });
    mcpServers.push(...found);
  }
  const skills: SkillDefinition[] = [];
  for (const name of await filesIn(join(directory, 'skills'), '.md')) {
    const path = join('skills', name);
    // A skill is prose for the model: ${…} in it is what it says.
    const found = readSkillFile(name.slice(0, -3), await readFile(join(directory, path), 'utf8'));
    if (found.ok) skills.push(found.value);
    else
      problems.push(
        ...found.fields.map(({ path: at, message }) => `${path}: ${at === '' ? '' : `${at} `}${message}`),
      );
  }
  if (problems.length > 0 || tenant === undefined || agent === undefined) return { ok: false, problems };
  return { ok: true, business: { tenant, agent, tools, mcpServers, skills } };
}

async function filesIn(folder: string, ending: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(ending)).sort();
}

async function readChecked<Value>(
  path: string,
  variables: Variables,
  check: (raw: unknown) => Checked<Value>,
): Promise<Checked<Value>> {
  const unset = new Set<string>();
  try {
    const raw = filledIn(JSON.parse(await readFile(path, 'utf8')), variables, unset);
    if (unset.size === 0) return check(raw);
    return refusal([...unset].map((name) => `needs the environment variable ${name}, which is not set`));
  } catch (error) {
    return refusal([error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'cannot be read']);
  }
}

function refusal(messages: string[]): { ok: false; fields: FieldError[] } {
  return { ok: false, fields: messages.map((message) => ({ path: '', message })) };
}

/** Done on the parsed value: a variable's text can never become a part of the JSON around it. */
function filledIn(value: unknown, variables: Variables, unset: Set<string>): unknown {
  if (typeof value === 'string') {
    return value.replace(VARIABLE, (_all, name: string) => {
      const text = variables[name];
      if (text === undefined || text === '') unset.add(name);
      return text ?? '';
    });
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, variables, unset));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filledIn(member, variables, unset)]),
  );
}

function checkTenant(raw: unknown): Checked<Business['tenant']> {
  const parsed = tenantFile.safeParse(raw);
  if (!parsed.success) return { ok: false, fields: fieldErrorsOf(parsed.error) };
  const effective = effectiveConfig([parsed.data.config]);
  if (effective.ok) return { ok: true, value: parsed.data };
  return {
    ok: false,
    fields: effective.fields.map(({ path, message }) => ({ path: `config.${path}`, message })),
  };
}
