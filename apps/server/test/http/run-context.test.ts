import type { RunContextView } from '@plinth/protocol';
import { aTurn, aTurnContext } from '@plinth/testkit';
import type { ApiClient } from '@plinth/testkit/system';
import pg from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { askingModel, tools, withPlinth } from './with-plinth.js';

const plinth = withPlinth();
beforeEach(() => plinth().sim.setScenarios([askingModel]));

async function debugging(endUserId: string): Promise<ApiClient> {
  const body = { endUserId, scopes: ['debug'] };
  const { token } = await plinth().backend.call<{ token: string }>('POST', '/v1/session-tokens', body);
  return plinth().as(token);
}

/** A parked run of Ada's, of whose first turn something is noted. */
async function notedRun(): Promise<string> {
  const ada = await plinth().session('ada');
  const { runId, messageId } = await ada.start('hello');
  await ada.parkedOn(messageId, 'ask');
  const database = new pg.Client({ connectionString: plinth().adminUrl });
  await database.connect();
  try {
    await database.query(
      `SELECT set_config('plinth.tenant', (SELECT id FROM tenant WHERE key = 'acme'), false)`,
    );
    await database.query('UPDATE turn SET context = $2, usage = $3 WHERE run_id = $1', [
      runId,
      JSON.stringify(noted),
      aTurn().usage,
    ]);
  } finally {
    await database.end();
  }
  return runId;
}

const noted = aTurnContext({
  model: 'a-model',
  cut: {
    from: 1,
    summary: 'what was said',
    clearedBefore: 2,
    shortened: null,
    images: {},
    removed: {},
    learned: {},
    walls: {},
  },
  reasons: [{ code: 'history_summarised', wall: 'tokens', count: 1, tokens: 5, bytes: 50, detail: null }],
});

it('tells of each turn what its request held, with the tokens that the provider counted', async () => {
  const runId = await notedRun();
  const { model, cut: _cut, ...shown } = noted;
  const { inputTokens, cachedInputTokens } = aTurn().usage;
  const expected: RunContextView = {
    runId,
    model,
    turns: [{ turn: 0, ...shown, inputTokens, cachedInputTokens }],
  };
  for (const who of [plinth().backend, await debugging('ada')])
    expect(await who.call('GET', `/v1/runs/${runId}/context`)).toEqual(expected);
});

it('is not for a session token without the scope, nor for anybody else', async () => {
  const path = `/v1/runs/${await notedRun()}/context`;
  const ada = await plinth().session('ada');
  expect(await ada.raw('GET', path)).toMatchObject({ status: 403, body: { facts: { scope: 'debug' } } });
  const globex = await plinth().addBusiness({ key: 'globex', tools: tools(plinth().jobs.url) });
  const strangers = [await debugging('eve'), await plinth().session('eve'), globex];
  for (const stranger of strangers) expect(await stranger.raw('GET', path)).toMatchObject({ status: 404 });
});

it('a token has no scope but those that there are', async () => {
  const body = { endUserId: 'ada', scopes: ['admin'] };
  expect(await plinth().backend.raw('POST', '/v1/session-tokens', body)).toMatchObject({ status: 400 });
  const debug = await debugging('ada');
  expect(await debug.raw('GET', '/v1/config')).toMatchObject({ status: 403 });
});
