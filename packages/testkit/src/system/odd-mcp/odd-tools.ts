import type { JsonObject } from '@plinth/protocol';

const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});

const TOOLS: JsonObject[] = [
  {
    name: 'echo',
    title: 'Echo',
    description: 'Says it again.',
    inputSchema: object({ text: { type: 'string' } }, ['text']),
    annotations: { readOnlyHint: true },
  },
  ...['slow', 'steps', 'crash', 'refuse', 'wrong', 'rpc_error', 'products', 'pid'].map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: object({}),
  })),
  {
    name: 'add_tool',
    description: 'Offers one more tool.',
    inputSchema: object({ name: { type: 'string' } }, ['name']),
    annotations: { destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'huge',
    description: 'Says a lot.',
    inputSchema: object({ bytes: { type: 'integer' } }, ['bytes']),
  },
];

/** None of these can be offered to a model; each for a reason of its own. */
const BAD: JsonObject[] = [
  { name: 'takes_a_list', inputSchema: { type: 'array' } },
  { name: 'no_schema' },
  { name: 'broken_schema', inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } },
  {
    name: 'enormous_schema',
    inputSchema: { type: 'object', description: 'x'.repeat(300_000) },
  },
  { name: 'one_or_other', inputSchema: { type: 'object', oneOf: [{ required: ['a'] }] } },
  { inputSchema: { type: 'object' } },
];

export function oddTools(withBad: boolean): JsonObject[] {
  return withBad ? [...TOOLS, ...BAD] : TOOLS;
}

const THINGS = ['ticket', 'customer', 'invoice', 'order', 'shipment', 'contract', 'campaign', 'article'];
const DEEDS = ['search', 'read', 'create', 'update', 'archive', 'assign', 'comment_on', 'export'];

/** Tools as business systems offer them: a paragraph of description, half a dozen described parameters. */
export function realisticTools(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const thing = THINGS[index % THINGS.length] ?? 'thing';
    const deed = DEEDS[Math.floor(index / THINGS.length) % DEEDS.length] ?? 'read';
    return {
      name: `${deed}_${thing}`,
      title: `${deed} ${thing}`,
      description: `Lets you ${deed} a ${thing} of the company. Use it when the person names a ${thing} by its number, its title or its owner. It respects the permissions of the connected account. Do not use it for drafts: those are not visible here. Returns the ${thing} with its fields, its history and links to what belongs to it.`,
      inputSchema: object(
        {
          id: { type: 'string', description: `The number of the ${thing}, as it stands in its address.` },
          query: {
            type: 'string',
            description: 'Words to look for, joined by AND. Quotes keep words together.',
          },
          status: {
            type: 'string',
            enum: ['open', 'waiting', 'in_progress', 'closed'],
            description: `Only a ${thing} in this state.`,
          },
          assignee: { type: 'string', description: 'E-mail address of the person who is responsible.' },
          labels: {
            type: 'array',
            items: { type: 'string' },
            description: 'All of these labels must be set.',
          },
          updatedSince: {
            type: 'string',
            format: 'date-time',
            description: 'Only what has changed since then, in UTC.',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: 100,
            default: 20,
            description: 'Most results to return.',
          },
        },
        ['id'],
      ),
    };
  });
}
