import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import { type PlinthUnderTest, startPlinth } from '@plinth/testkit/system';
import { afterAll, beforeAll, inject } from 'vitest';

export const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const ask: JsonObject = {
  key: 'ask',
  title: 'Ask',
  description: 'Asks the person.',
  parameters: object({ question: { type: 'string' } }),
  executor: {
    kind: 'component',
    component: 'Ask',
    submit: object({ answer: { type: 'string', minLength: 1 } }),
  },
};

const order = (jobs: string): JsonObject => ({
  key: 'order',
  title: 'Order',
  description: 'Orders something.',
  parameters: object({ subject: { type: 'string' } }),
  executor: { kind: 'remote', url: `${jobs}/order` },
});

export const tools = (jobs: string): JsonObject[] => [ask, order(jobs)];

/**
 * One real server process, its stores and a simulated model, for all tests of a file.
 *
 * @param more tools beside the usual ones
 * @param mcpServers by key, as the operator's files name them
 * @param mcp those that the agent uses
 */
export function withPlinth(
  environment: Record<string, string> = {},
  more: (jobs: string) => JsonObject[] = () => [],
  mcpServers: Record<string, JsonObject> = {},
  mcp: JsonObject[] = [],
): () => PlinthUnderTest & { redisUrl: string; adminUrl: string; appUrl: string } {
  let running: PlinthUnderTest & { redisUrl: string; adminUrl: string; appUrl: string };
  let close = async () => {};
  beforeAll(async () => {
    const provided = inject('plinth');
    const database = await createTestDatabase(provided);
    const redis = await createTestRedis(provided);
    const plinth = await startPlinth({
      topology: 'single',
      appUrl: database.appUrl,
      redisUrl: redis.url,
      business: (jobs) => ({ key: 'acme', tools: [...tools(jobs), ...more(jobs)], mcpServers, mcp }),
      environment,
    });
    const { adminUrl, appUrl } = database;
    running = Object.assign(plinth, { redisUrl: redis.url, adminUrl, appUrl });
    close = async () => {
      await plinth.close();
      await redis.drop();
      await database.drop();
    };
  }, 180_000);
  afterAll(() => close());
  return () => running;
}

/** A model that asks the person once and then says `Thanks.` */
export const askingModel = scripted([
  { text: 'One question.', toolCalls: [{ name: 'ask', arguments: { question: 'Why?' } }] },
  { text: 'Thanks.' },
]);
