import { startOddMcpHttp, until } from '@plinth/testkit/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning, type Mcp, oddStdio, openMcp, textOf } from './mcp-fixture.js';

let mcp: Mcp;
beforeEach(async () => {
  mcp = await openMcp();
});
afterEach(() => mcp.close());

const pid = async (server = 'odd') => Number(textOf(await mcp.call(server, 'pid')));

/** Calls that are under way at the server until they are ended. */
async function busy(count: number): Promise<{ end(): Promise<void> }> {
  const abort = new AbortController();
  const calls: Promise<unknown>[] = [];
  for (let call = 0; call < count; call += 1) {
    await new Promise<void>((resolve) => {
      const onProgress = () => resolve();
      calls.push(mcp.call('odd', 'slow', {}, { signal: abort.signal, onProgress }).catch(() => {}));
    });
  }
  return {
    async end() {
      abort.abort(new Error('ended'));
      await Promise.all(calls);
    },
  };
}

describe('the connections to a server', () => {
  test('are opened when they are needed, and used again', async () => {
    mcp.register('odd', oddStdio('odd'));
    expect(mcp.pool('odd').size).toBe(0);
    const first = await pid();
    expect(await pid()).toBe(first);
    expect(mcp.pool('odd').size).toBe(1);
  });

  test('are one for each call up to the most; further calls share', async () => {
    mcp.register('odd', oddStdio('odd'), { maxConnections: 2 });
    const two = await busy(3);
    expect(mcp.pool('odd').size).toBe(2);
    expect(textOf(await mcp.call('odd', 'echo', { text: 'shared' }))).toBe('odd says shared');
    await two.end();
  });

  test('are not more than the most when calls come at once, and none of the calls is lost', async () => {
    mcp.register('odd', oddStdio('odd'), { maxConnections: 1 });
    const said = await Promise.all(['a', 'b', 'c'].map((text) => mcp.call('odd', 'echo', { text })));
    expect(said.map(textOf)).toEqual(['odd says a', 'odd says b', 'odd says c']);
    expect(mcp.pool('odd').size).toBe(1);
  });

  test('over the least number are closed after an idle minute, all after ten; their processes end', async () => {
    mcp.register('odd', oddStdio('odd'), { minConnections: 1 });
    const first = await pid();
    await (await busy(3)).end();
    expect(mcp.pool('odd').size).toBe(3);
    mcp.clock.advance(61_000);
    await until('two are closed', () => mcp.pool('odd').size === 1);
    const last = await pid();
    mcp.clock.advance(601_000);
    await until('the last is closed', () => mcp.pool('odd').size === 0);
    await until('the processes are gone', () => !isRunning(first) && !isRunning(last));
  });

  test('are asked after a pause, and one whose server is gone is replaced before the call', async () => {
    const odd = await startOddMcpHttp('odd');
    mcp.register('odd', { kind: 'streamable_http', url: odd.url });
    await mcp.call('odd', 'echo', { text: 'x' });
    odd.sessions.clear();
    mcp.clock.advance(31_000);
    expect(textOf(await mcp.call('odd', 'echo', { text: 'new session' }))).toBe('odd says new session');
    expect(odd.server.calls).toHaveLength(2);
    await odd.close();
  });

  test('of a process that was killed are noticed and replaced', async () => {
    mcp.register('odd', oddStdio('odd'));
    const first = await pid();
    process.kill(first, 'SIGKILL');
    await until('it is gone', () => !isRunning(first));
    const second = await pid();
    expect(second).not.toBe(first);
  });

  test('that could not be opened are not tried again at once, and later ever more seldom', async () => {
    mcp.register('odd', oddStdio('odd', 'mute'), { timeoutMs: 150 });
    const tried = () => mcp.problems.length;
    await mcp.call('odd', 'echo');
    expect(await mcp.call('odd', 'echo')).toMatchObject({
      error: { code: 'unavailable', message: expect.stringContaining('tried again in 1 s') },
    });
    expect(tried()).toBe(1);
    mcp.clock.advance(1_000);
    await mcp.call('odd', 'echo');
    expect(tried()).toBe(2);
    mcp.clock.advance(1_000);
    await mcp.call('odd', 'echo');
    expect(tried()).toBe(2);
    mcp.clock.advance(1_000);
    await mcp.call('odd', 'echo');
    expect(tried()).toBe(3);
  });

  test('of another definition are others; calls under way end on those that they began with', async () => {
    mcp.register('odd', oddStdio('odd'));
    const old = await pid();
    const call = await busy(1);
    mcp.register('odd', oddStdio('newer'));
    expect(textOf(await mcp.call('odd', 'echo', { text: 'x' }))).toBe('newer says x');
    expect(isRunning(old)).toBe(true);
    await call.end();
    await until('the old one is gone', () => !isRunning(old));
  });

  test('are all gone after the end, also of a process that does not want to', async () => {
    mcp.register('odd', oddStdio('odd'));
    mcp.register('stubborn', oddStdio('stubborn', 'stays'));
    const pids = [await pid(), await pid('stubborn')];
    await (await busy(2)).end();
    await mcp.close();
    await until('all are gone', () => !pids.some(isRunning));
  }, 15_000);

  test('take with them what their process has started', async () => {
    const { command, args } = oddStdio('child', 'stays') as { command: string; args: string[] };
    const words = [command, ...args].map((word) => `'${word}'`).join(' ');
    mcp.register('odd', { kind: 'stdio', command: '/bin/sh', args: ['-c', `${words}; true`] });
    const child = await pid();
    await mcp.close();
    await until('the child of the shell is gone', () => !isRunning(child));
  }, 15_000);
});
