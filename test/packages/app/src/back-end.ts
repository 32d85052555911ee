import { createPlinthServer, PlinthClientError, type Schemas } from '@plinth/client/server';

const [, , baseUrl = '', apiKey = ''] = process.argv;
const plinth = createPlinthServer({ baseUrl, apiKey, timeoutMs: 20_000 });

/** What a back end does for a page of its own, and what it learns when it asks for something that is not there. */
async function main(): Promise<{ token: string; run: Schemas['Run']; code: string }> {
  const { token } = await plinth.mintSessionToken({ endUserId: 'ada', ttlSeconds: 300 });
  const started = await plinth.post('/v1/runs', {
    body: { agent: 'tester', endUserId: 'ada', input: { text: 'hello' } },
    idempotencyKey: 'order-1',
  });
  const run = await plinth.get('/v1/runs/{runId}', { params: { path: { runId: started.runId } } });
  const missing = plinth.get('/v1/runs/{runId}', { params: { path: { runId: 'run_none' } } });
  const code = await missing.then(
    () => 'found',
    (error: unknown) =>
      PlinthClientError.isInstance(error) ? `${error.code} ${error.requestId !== null}` : 'unknown',
  );
  return { token, run, code };
}

process.stdout.write(JSON.stringify(await main()));
