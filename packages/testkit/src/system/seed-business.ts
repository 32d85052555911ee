import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { JsonObject } from '@plinth/protocol';

const SEED = fileURLToPath(new URL('../../../../apps/server/dist/seed.js', import.meta.url));

export interface BusinessSpec {
  /** Key of the tenant. */
  key: string;
  /** Tool definitions; the agent `tester` offers all of them, in this order. */
  tools: JsonObject[];
  /** Texts of skill files by their key; the agent has all of them. */
  skills?: Readonly<Record<string, string>>;
  config?: JsonObject;
  agentConfig?: JsonObject;
  /** Keys of tools that are registered otherwise, which the agent offers after those. */
  offers?: string[];
  /** MCP servers that the agent uses. */
  mcp?: JsonObject[];
  /** MCP servers by key, as an operator's files name them. */
  mcpServers?: Record<string, JsonObject>;
}

/** An API key of the right form. */
export const newApiKey = (): string =>
  `plk_${randomBytes(4).toString('hex')}_${randomBytes(20).toString('hex')}`;

/** Puts a business into the database as an operator does: files, and the seed command. Returns its API key. */
export async function seedBusiness(
  spec: BusinessSpec,
  environment: { DATABASE_APP_URL: string; PLINTH_SECRET: string },
  apiKey: string = newApiKey(),
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'plinth-business-'));
  const skills = Object.entries(spec.skills ?? {});
  const write = (name: string, value: JsonObject) => writeFile(join(directory, name), JSON.stringify(value));
  try {
    await mkdir(join(directory, 'tools'));
    await mkdir(join(directory, 'skills'));
    await write('tenant.json', { key: spec.key, name: spec.key, config: spec.config ?? {} });
    await write('agent.json', {
      key: 'tester',
      name: 'Tester',
      instructions: 'You are the agent of a test.',
      tools: [...spec.tools.map((tool) => String(tool.key)), ...(spec.offers ?? [])],
      skills: skills.map(([key]) => key),
      ...(spec.mcp === undefined ? {} : { mcp: spec.mcp }),
      config: spec.agentConfig ?? {},
    });
    await mkdir(join(directory, 'mcp-servers'));
    for (const [key, server] of Object.entries(spec.mcpServers ?? {}))
      await write(`mcp-servers/${key}.json`, server);
    for (const [key, text] of skills) await writeFile(join(directory, 'skills', `${key}.md`), text);
    for (const tool of spec.tools) await write(`tools/${String(tool.key)}.json`, tool);
    const env = { PATH: process.env.PATH, ...environment, PLINTH_DEMO_API_KEY: apiKey };
    await promisify(execFile)(process.execPath, [SEED, directory], { env });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return apiKey;
}
