import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ToolInvocation, ToolTimedOut } from '@plinth/engine';
import { type InterruptId, type TenantId, type ToolDefinition, toolDefinition } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BreakingExecutor } from '../src/tools/breaking-executor.js';
import { RemoteExecutor } from '../src/tools/remote-executor.js';
import { outboundTo } from './outbound-fixture.js';

const acme = 'ten_acme' as TenantId;
const SETTINGS = { failures: 3, windowSeconds: 30, halfOpenAfterSeconds: 15 };

let service: Server;
let url: string;
let received = 0;
let react: (response: ServerResponse) => void;
const answers = (status: number) => (response: ServerResponse) => void response.writeHead(status).end();
const hangs = () => {};

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  received = 0;
  react = answers(202);
  service = createServer((request, response) => {
    received += 1;
    request.resume();
    react(response);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterEach(async () => {
  vi.useRealTimers();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

function invocation(address: string): ToolInvocation {
  const tool: ToolDefinition = toolDefinition.parse({
    key: 'order',
    title: 'Order',
    description: 'Orders.',
    parameters: { type: 'object' },
    executor: { kind: 'remote', url: address },
  });
  return {
    callId: 'tc_1',
    runId: 'run_1',
    tool,
    arguments: {},
    idempotencyKey: 'tc_1',
    offered: [],
    progress: () => {},
    callback: {
      interruptId: 'int_1' as InterruptId,
      url: 'https://plinth.test/cb',
      progressUrl: 'https://plinth.test/cb/progress',
    },
  };
}

const NOT_POLLED = {
  note: async () => {
    throw new Error('these jobs call back');
  },
};

function setUp() {
  const changes: string[] = [];
  let settings = SETTINGS;
  const executor = new BreakingExecutor(
    new RemoteExecutor(outboundTo(['127.0.0.1', 'localhost'], { clock: new ManualClock() }), NOT_POLLED),
    {
      settingsOf: async () => settings,
      onChange: (tenant, endpoint, is) =>
        changes.push(`${tenant} ${new URL(`http://${endpoint}`).hostname} ${is}`),
    },
  );
  const call = async ({ tenant = acme, to = `${url}/jobs`, signal = new AbortController().signal } = {}) => {
    const outcome = await executor.execute(tenant, invocation(to), signal);
    return outcome.kind === 'failed' ? outcome.error.code : outcome.kind;
  };
  const fail = async (times: number) => {
    react = answers(503);
    for (let n = 0; n < times; n += 1) await call();
  };
  const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
  const set = (changed: Partial<typeof SETTINGS>) => {
    settings = { ...SETTINGS, ...changed };
  };
  return { executor, call, fail, pass, set, changes };
}

describe('a service that fails again and again', () => {
  test('is left alone after so many failures in a time, and the model is told not to retry now', async () => {
    const { executor, fail, changes } = setUp();
    await fail(3);
    react = answers(202);
    const outcome = await executor.execute(acme, invocation(`${url}/other`), new AbortController().signal);
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: { code: 'unavailable', message: expect.stringContaining('for up to 15 seconds') },
      retryAfterSeconds: 15,
    });
    expect(received).toBe(3);
    expect(changes).toEqual(['ten_acme 127.0.0.1 open']);
  });

  test('is tried by one call when its time is over: its success closes the circuit', async () => {
    const { call, fail, pass, changes } = setUp();
    await fail(3);
    pass(15);
    react = answers(202);
    expect(await call()).toBe('accepted');
    expect(await call()).toBe('accepted');
    expect(changes).toEqual(['ten_acme 127.0.0.1 open', 'ten_acme 127.0.0.1 closed']);
  });

  test('is left alone for as long again when that call fails', async () => {
    const { call, fail, pass } = setUp();
    await fail(3);
    pass(15);
    expect(await call()).toBe('unknown');
    expect(received).toBe(4);
    pass(14);
    expect(await call()).toBe('unavailable');
    expect(received).toBe(4);
  });

  test('other calls do not wait for the one that finds out', async () => {
    const { call, fail, pass } = setUp();
    await fail(3);
    pass(15);
    let answer = () => {};
    react = (response) => {
      answer = () => answers(202)(response);
    };
    const finding = call();
    await vi.waitFor(() => expect(received).toBe(4));
    expect(await call()).toBe('unavailable');
    expect(received).toBe(4);
    answer();
    expect(await finding).toBe('accepted');
  });

  test('stays left alone when the call that was to find out is cut off with its run', async () => {
    const { call, fail, pass } = setUp();
    await fail(3);
    pass(15);
    react = hangs;
    const run = new AbortController();
    const finding = call({ signal: run.signal });
    await vi.waitFor(() => expect(received).toBe(4));
    run.abort(new Error('cancelled'));
    await expect(finding).rejects.toThrow('cancelled');
    expect(await call()).toBe('unavailable');
    expect(received).toBe(4);
  });
});

describe('a service that is still well', () => {
  test('is called when its failures lie further apart than the window', async () => {
    const { call, fail, pass } = setUp();
    await fail(2);
    pass(30);
    await fail(2);
    react = answers(202);
    expect(await call()).toBe('accepted');
  });

  test.each<[string, number]>([
    ['refuses', 422],
    ['accepts', 202],
  ])('is called however often it %s', async (_name, status) => {
    const { call } = setUp();
    react = answers(status);
    for (let n = 0; n < 10; n += 1) await call();
    expect(received).toBe(10);
  });

  test('is called by another tenant, and at another host, whatever one has met', async () => {
    const { call, fail } = setUp();
    await fail(3);
    react = answers(202);
    expect(await call({ tenant: 'ten_other' as TenantId })).toBe('accepted');
    expect(await call({ to: `${url.replace('127.0.0.1', 'localhost')}/jobs` })).toBe('accepted');
    expect(received).toBe(5);
  });

  test('is not blamed for runs that were cancelled, but for not answering in time', async () => {
    const { call } = setUp();
    react = hangs;
    const cut = async (reason: Error) => {
      const abort = new AbortController();
      const before = received;
      const calling = call({ signal: abort.signal }).catch(() => 'cut');
      await vi.waitFor(() => expect(received).toBe(before + 1));
      abort.abort(reason);
      expect(await calling).toBe('cut');
    };
    for (let n = 0; n < 4; n += 1) await cut(new Error('cancelled'));
    for (let n = 0; n < 3; n += 1) await cut(new ToolTimedOut('too late'));
    expect(await call()).toBe('unavailable');
    expect(received).toBe(7);
  });
});

test('other settings hold from the next call on', async () => {
  const { call, fail, set } = setUp();
  set({ failures: 1 });
  await fail(1);
  expect(await call()).toBe('unavailable');
  expect(received).toBe(1);
  set({ failures: 2 });
  react = answers(202);
  expect(await call()).toBe('accepted');
});
