import type { JsonObject } from '@plinth/protocol';
import { type OddFault, startOddMcpHttp, until } from '@plinth/testkit/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Mcp, oddStdio, openMcp, textOf } from './mcp-fixture.js';

let mcp: Mcp;
const toClose: (() => Promise<void>)[] = [];
beforeEach(async () => {
  mcp = await openMcp();
});
afterEach(async () => {
  await mcp.close();
  await Promise.all(toClose.splice(0).map((close) => close()));
});

const failure = (code: string, message: RegExp, kind = 'failed') => ({
  kind,
  error: { code, message: expect.stringMatching(message) },
});

async function overHttp(name: string, ...faults: OddFault[]): Promise<JsonObject> {
  const odd = await startOddMcpHttp(name, faults);
  toClose.push(() => odd.close());
  return { kind: 'streamable_http', url: odd.url };
}

describe.each([
  { over: 'stdio', transport: async (...faults: OddFault[]) => oddStdio('odd', ...faults) },
  { over: 'Streamable HTTP', transport: (...faults: OddFault[]) => overHttp('odd', ...faults) },
])('a misbehaving server over $over', ({ transport }) => {
  test('is called, and says what it says', async () => {
    mcp.register('odd', await transport());
    expect(textOf(await mcp.call('odd', 'echo', { text: 'tea' }))).toBe('odd says tea');
  });

  test('that never begins the session is unavailable, and the call had no effect', async () => {
    mcp.register('odd', await transport('mute'), { timeoutMs: 300 });
    expect(await mcp.call('odd', 'echo')).toEqual(failure('unavailable', /no answer in time.*had no effect/));
  });

  test('that speaks another protocol is unavailable', async () => {
    mcp.register('odd', await transport('wrong_version'));
    expect(await mcp.call('odd', 'echo')).toEqual(
      failure('unavailable', /protocol version is not supported/),
    );
  });

  test('that dies in a call leaves its outcome unknown, unless the tool may be called again; the next call works', async () => {
    mcp.register('odd', await transport());
    expect(await mcp.call('odd', 'crash')).toEqual(
      failure('connection_lost', /has gone away.*not known/, 'unknown'),
    );
    expect(await mcp.call('odd', 'crash', {}, { tool: { idempotent: true } })).toEqual(
      failure('unavailable', /may be called again/),
    );
    expect(textOf(await mcp.call('odd', 'echo', { text: 'again' }))).toBe('odd says again');
  });

  test('that does not answer in time is told that the call is cancelled', async () => {
    mcp.register('odd', await transport(), { timeoutMs: 300 });
    expect(await mcp.call('odd', 'slow')).toEqual(
      failure('timed_out', /no answer in time.*not known/, 'unknown'),
    );
  });

  test('that answers what the protocol does not know gives an error and not a result', async () => {
    mcp.register('odd', await transport());
    expect(await mcp.call('odd', 'wrong')).toEqual(failure('invalid_output', /protocol does not know/));
  });

  test('that refuses says why in its own words', async () => {
    mcp.register('odd', await transport());
    expect(await mcp.call('odd', 'refuse')).toEqual(
      failure('remote_error', /^The printer is out of paper\. Fill it and call again\.$/),
    );
    expect(await mcp.call('odd', 'rpc_error')).toEqual(
      failure('invalid_arguments', /subject must not be empty.*Correct the arguments/),
    );
  });

  test('that says a lot is heard whole: what the model reads of it is for the engine to cut', async () => {
    mcp.register('odd', await transport());
    const outcome = await mcp.call('odd', 'huge', { bytes: 3_000_000 });
    expect(outcome).toMatchObject({
      kind: 'succeeded',
      value: 'x'.repeat(3_000_000),
      files: [],
    });
  });

  test('that says more than can be taken is cut off, and the next call works', async () => {
    mcp.register('odd', await transport());
    expect(await mcp.call('odd', 'huge', { bytes: 20 * 1024 * 1024 })).toEqual(
      failure('result_too_large', /more than can be taken.*Ask for less/),
    );
    expect(textOf(await mcp.call('odd', 'echo', { text: 'still' }))).toBe('odd says still');
  });

  test('reports progress on the way', async () => {
    mcp.register('odd', await transport());
    const reports: unknown[] = [];
    await mcp.call('odd', 'steps', {}, { onProgress: (report) => reports.push(report) });
    expect(reports).toEqual([{ progress: 0.25, message: 'a quarter' }]);
  });

  test('returns pictures and documents as files, and its structured value as the value', async () => {
    mcp.register('odd', await transport());
    expect(await mcp.call('odd', 'products')).toMatchObject({
      kind: 'succeeded',
      value: { made: 2 },
      files: [
        { title: 'products-2.png', kind: 'image', mimeType: 'image/png' },
        { title: 'plan.md', mimeType: 'text/markdown' },
      ],
    });
  });
});

describe('a call', () => {
  test('that is aborted is cancelled at the server', async () => {
    const odd = await startOddMcpHttp('odd');
    toClose.push(() => odd.close());
    mcp.register('odd', { kind: 'streamable_http', url: odd.url });
    const abort = new AbortController();
    const begun = new Promise<void>((resolve) => {
      const call = mcp.call('odd', 'slow', {}, { signal: abort.signal, onProgress: () => resolve() });
      call.catch(() => {});
      toClose.push(() => expect(call).rejects.toThrow('the run was cancelled'));
    });
    await begun;
    abort.abort(new Error('the run was cancelled'));
    await until('the server hears of it', () => odd.server.cancelled.includes('slow'));
    await until('nobody listens for its answer any more', () => odd.answering.size === 0);
  });

  test('of a server or tool that is not there any more says so', async () => {
    mcp.register('odd', oddStdio('odd'), { exclude: ['ec*'] });
    expect(await mcp.call('odd', 'echo')).toEqual(failure('not_permitted', /not permitted any more/));
    mcp.forget('odd');
    expect(await mcp.call('odd', 'echo')).toEqual(failure('unavailable', /not registered any more/));
  });

  test('goes to no address that the tenant may not reach', async () => {
    const odd = await startOddMcpHttp('odd');
    toClose.push(() => odd.close());
    const { port } = new URL(odd.url);
    for (const host of ['127.0.0.2', '[::1]', '169.254.169.254']) {
      mcp.register('odd', { kind: 'streamable_http', url: `http://${host}:${port}/mcp` });
      expect(await mcp.call('odd', 'echo')).toEqual(failure('unavailable', /not on the public internet/));
    }
    expect(odd.headers).toEqual([]);
  });

  test('of a program that is not there is unavailable, and what is wrong is told the operator', async () => {
    mcp.register('odd', { kind: 'stdio', command: '/no/such/program' });
    expect(await mcp.call('odd', 'echo')).toEqual(failure('unavailable', /could not be started \(ENOENT\)/));
    expect(mcp.problems).toMatchObject([{ server: 'odd' }]);
  });

  test.each([
    [401, /refuses the credentials \(401\)/],
    [404, /session/],
    [503, /answered 503/],
  ])('that is answered with status %i says what that means', async (status, message) => {
    const odd = await startOddMcpHttp('odd');
    toClose.push(() => odd.close());
    mcp.register('odd', { kind: 'streamable_http', url: odd.url });
    await mcp.call('odd', 'echo', { text: 'first' });
    odd.status = status;
    const expected =
      status === 503 ? failure('connection_lost', message, 'unknown') : failure('unavailable', message);
    expect(await mcp.call('odd', 'echo', { text: 'x' })).toEqual(expected);
    odd.status = null;
    expect(textOf(await mcp.call('odd', 'echo', { text: 'back' }))).toBe('odd says back');
  });

  test('carries the secret that its server is registered with, and no reference to it', async () => {
    const odd = await startOddMcpHttp('odd');
    toClose.push(() => odd.close());
    mcp.register('odd', {
      kind: 'streamable_http',
      url: odd.url,
      headers: { 'x-team': 'blue' },
      auth: { kind: 'bearer', token: '{{secrets.TOKEN}}' },
    });
    await mcp.call('odd', 'echo', { text: 'x' });
    expect(odd.headers.length).toBeGreaterThan(2);
    for (const headers of odd.headers)
      expect(headers).toMatchObject({ authorization: 'Bearer the-secret-token', 'x-team': 'blue' });
  });
});
