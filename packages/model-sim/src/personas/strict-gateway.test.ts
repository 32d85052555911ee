import { expect, test } from 'vitest';
import { dataUrl, png } from '../images/sample-images.test-support.js';
import { messageOf, saying, showing, startPersona } from './personas.test-support.js';

const heavy = showing(dataUrl(png(1, 1, 1_000_000)));
const walls = { bodyBytes: 1024 * 1024 };

test('a gateway that gets too much shows its own page, with 413', async () => {
  const { ask } = await startPersona({ persona: 'strict-gateway', walls });
  const answer = await ask(heavy);
  expect(answer).toMatchObject({ status: 413, type: 'text/html' });
  expect(answer.text).toContain('<center><h1>413 Request Entity Too Large</h1></center>');
});

test('another says it in JSON, with 400', async () => {
  const { ask, sim } = await startPersona({ persona: 'strict-gateway-json', walls });
  const answer = await ask(heavy);
  expect(answer.status).toBe(400);
  expect(messageOf(answer)).toBe(
    `Request size is too large. Request size is ${(sim.requests[0]?.sizeBytes ?? 0) / 1024 / 1024} MB. Max size is 1 MB`,
  );
  expect(sim.requests[0]?.raw).toBe('');
});

test('what gets through is for the API behind it to refuse', async () => {
  const { ask } = await startPersona({ persona: 'strict-gateway' });
  expect((await ask(showing(dataUrl(png(1, 1))))).status).toBe(200);
  expect(messageOf(await ask(saying(128_001)))).toContain("This model's maximum context length is 128000");
});
