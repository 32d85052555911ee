import { expect, it } from 'vitest';
import { withPlinth } from './with-plinth.js';

const plinth = withPlinth();
type Operation = { operationId: string; security: unknown[]; responses: Record<string, unknown> };
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};

const read = async () => (await (await fetch(`${plinth().url}/openapi.json`)).json()) as Document;

it('every endpoint that the document calls protected refuses a caller without a credential', async () => {
  const { paths } = await read();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { security }] of Object.entries(methods)) {
      if (security.length === 0) continue;
      const response = await fetch(`${plinth().url}${path.replace(/\{\w+\}/g, 'x')}`, {
        method: method.toUpperCase(),
      });
      expect({ path, status: response.status }).toEqual({ path, status: 401 });
      expect(response.headers.get('content-type')).toContain('application/problem+json');
    }
  }
});

it('every reference in the document leads to a schema, and operation ids are unique', async () => {
  const document = await read();
  expect(document.openapi).toBe('3.1.0');
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = '']) => to);
  expect(references.length).toBeGreaterThan(50);
  const leadsTo = (reference: string): unknown =>
    reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
  expect(references.filter((to) => !to.startsWith('#/') || leadsTo(to) === undefined)).toEqual([]);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

it('a path that is in no document is a 404 problem with a stable code', async () => {
  const response = await fetch(`${plinth().url}/v1/nothing`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not_found', requestId: expect.any(String) });
});

it('the page for people and the metrics are served', async () => {
  expect(await (await fetch(`${plinth().url}/docs`)).text()).toContain('swagger-ui');
  expect((await fetch(`${plinth().url}/docs/assets/swagger-ui-bundle.js`)).status).toBe(200);
  expect(await (await fetch(`${plinth().url}/metrics`)).text()).toContain('plinth_resume_total');
});
