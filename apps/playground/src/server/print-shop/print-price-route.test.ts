import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { printPriceRoute } from './print-price-route.js';

async function ask(query: string) {
  const app = Fastify();
  printPriceRoute(app);
  const answer = await app.inject({ method: 'GET', url: `/print-shop/price?${query}` });
  return { status: answer.statusCode, body: answer.json() };
}

test.each([
  ['size=A3&copies=1', { perCopy: 1.1, total: 1.1, workingDays: 2 }],
  ['size=A4&copies=50', { perCopy: 0.54, total: 27, workingDays: 2 }],
  ['size=A3&copies=120', { perCopy: 0.88, total: 105.6, workingDays: 3 }],
])('%s costs %j', async (query, price) => {
  expect(await ask(query)).toMatchObject({ status: 200, body: { currency: 'EUR', ...price } });
});

test('a wrong wish is refused with every field that is wrong', async () => {
  const { status, body } = await ask('size=A9&copies=0');
  expect(status).toBe(400);
  expect(body).toMatchObject({
    code: 'invalid_request',
    detail: expect.stringMatching(/size: .+copies: /),
  });
});
