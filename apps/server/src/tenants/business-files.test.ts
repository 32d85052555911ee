import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBusinessFiles } from './business-files.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plinth-files-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const TENANT = 'key: acme\nname: Acme\n';
const AGENT = 'key: helper\nname: Helper\ninstructions: |\n  Help.\n  Be brief.\ntools: [order]\n';
const TOOL = `# How orders are made.
key: order
title: Order
description: Orders something.
parameters:
  type: object
  properties:
    amount: { type: number }
executor:
  kind: remote
  url: \${JOBS}/order
requireConfirmation:
  when: arguments.amount > 100
`;

async function read(
  files: Record<string, string>,
  variables: Record<string, string> = { JOBS: 'https://j.test' },
) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return readBusinessFiles(directory, variables);
}

async function problemsOf(files: Record<string, string>, variables?: Record<string, string>) {
  const found = await read(files, variables);
  return found.ok ? [] : found.problems;
}

test('YAML and JSON stand side by side, and any number of agents and tools', async () => {
  const json = JSON.stringify({ key: 'second', name: 'Second', instructions: 'Help too.' });
  const found = await read({
    'tenant.yaml': TENANT,
    'agent.yml': AGENT,
    'agents/second.json': json,
    'tools/order.yaml': TOOL,
    'tools/refund.yml': TOOL.replace('key: order', 'key: refund'),
    'tools/README.md': 'Not a tool.',
  });
  if (!found.ok) throw new Error(found.problems.join('\n'));
  const { tenant, agents, tools } = found.business;
  expect(tenant).toEqual({ key: 'acme', name: 'Acme', config: {} });
  expect(agents.map(({ key, instructions }) => [key, instructions])).toEqual([
    ['helper', 'Help.\nBe brief.\n'],
    ['second', 'Help too.'],
  ]);
  expect(tools.map(({ key, executor }) => [key, executor])).toEqual([
    ['order', { kind: 'remote', url: 'https://j.test/order' }],
    ['refund', { kind: 'remote', url: 'https://j.test/order' }],
  ]);
});

const GOOD = { 'tenant.yaml': TENANT, 'agent.yaml': AGENT, 'tools/order.yaml': TOOL };
const withTool = (from: string, to: string) => ({ ...GOOD, 'tools/order.yaml': TOOL.replace(from, to) });

test.each<[string, Record<string, string>, string]>([
  [
    'a wrong value: its own line',
    withTool('type: object', 'type: string'),
    'tools/order.yaml:6: parameters.type must be "object"',
  ],
  [
    'a field that is missing: the line of what lacks it',
    withTool('  url: ${JOBS}/order\n', ''),
    'tools/order.yaml:9: executor.url',
  ],
  [
    'a field that is misspelt',
    withTool('requireConfirmation:', 'requireConfirmations:'),
    'tools/order.yaml:12: requireConfirmations is not a field here',
  ],
  [
    'one inside another',
    withTool('  kind: remote', '  kind: remote\n  cancel: x'),
    'tools/order.yaml:11: executor.cancel is not a field here',
  ],
  [
    'a condition that cannot be read',
    withTool('> 100', '>'),
    'tools/order.yaml:13: requireConfirmation.when Unexpected token',
  ],
  ['a text that is no YAML', withTool('title: Order', 'title: "Order'), 'tools/order.yaml:'],
  [
    'a key that is written twice',
    withTool('title: Order', 'title: Order\ntitle: Again'),
    'tools/order.yaml:4: cannot be understood: Map keys must be unique',
  ],
  [
    'JSON that breaks off',
    { ...GOOD, 'tools/b.json': '{\n  "key": "b",\n' },
    'tools/b.json:3: cannot be understood',
  ],
  [
    'two files of one key',
    { ...GOOD, 'tools/twice.yaml': TOOL },
    'tools/twice.yaml:2: key "order" is that of tools/order.yaml already',
  ],
  ['two tenants', { ...GOOD, 'tenant.json': '{}' }, 'tenant.json and tenant.yaml: there must be one of them'],
  [
    'a setting that does not hold',
    {
      ...GOOD,
      'tenant.yaml': `${TENANT}config:\n  tools:\n    permissions:\n      - tool: "*"\n        effect: forbid\n`,
    },
    'tenant.yaml:7: config.tools.permissions.0.effect',
  ],
])('%s is told with file, line and field', async (_name, files, problem) => {
  const problems = await problemsOf(files);
  expect(problems.join('\n')).toContain(problem);
});

test('a variable that is not set is told with the field that needs it', async () => {
  expect(await problemsOf(GOOD, {})).toEqual([
    'tools/order.yaml:11: executor.url needs the environment variable JOBS, which is not set',
  ]);
});

test('a variable is a text and nothing else, whatever it holds', async () => {
  const found = await read(GOOD, { JOBS: 'https://j.test/a?b="c"\nkind: builtin #' });
  expect(found).toMatchObject({ ok: true, business: { tools: [{ executor: { kind: 'remote' } }] } });
});

test('an empty directory says what is missing', async () => {
  expect(await problemsOf({})).toEqual([
    'tenant.yaml or tenant.json: is not there',
    'agent.yaml or agents/: there is no agent',
  ]);
});
