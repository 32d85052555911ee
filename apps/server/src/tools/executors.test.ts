import type { ToolExecutor, ToolInvocation } from '@plinth/engine';
import { type JsonObject, type TenantId, toolDefinition } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { describe, expect, test } from 'vitest';
import { CurrentTimeExecutor } from './current-time-executor.js';
import { Executors } from './executors.js';

const acme = 'ten_acme' as TenantId;
const signal = new AbortController().signal;
const CURRENT_TIME = { kind: 'builtin', name: 'current_time' };

function invocation(executor: object, values: JsonObject = {}): ToolInvocation {
  const tool = toolDefinition.parse({
    key: 'a_tool',
    title: 'A tool',
    description: 'Does it.',
    parameters: {},
    executor,
  });
  return {
    callId: 'tc_1',
    runId: 'run_1',
    tool,
    arguments: values,
    idempotencyKey: 'tc_1',
    callback: null,
    offered: [],
    progress: () => {},
  };
}

describe('executors', () => {
  const remote: ToolExecutor = { execute: async () => ({ kind: 'accepted' }) };
  const comfyui: ToolExecutor = {
    execute: async () => ({ kind: 'failed', error: { code: 'c', message: 'm' } }),
  };
  const executors = new Executors(
    {
      remote,
      http: remote,
      mcp: { execute: async () => ({ kind: 'succeeded', value: 'mcp', files: [] }) },
      mcp_directory: remote,
      comfyui,
    },
    {
      current_time: new CurrentTimeExecutor(new ManualClock()),
      get_artifact: remote,
      write_document: remote,
      edit_document: remote,
      load_skill: remote,
      web_fetch: remote,
    },
  );

  test('a call goes to the executor of its kind', async () => {
    const remoteCall = invocation({ kind: 'remote', url: 'https://jobs.test' });
    expect(await executors.execute(acme, remoteCall, signal)).toEqual({ kind: 'accepted' });
    const mcpCall = invocation({ kind: 'mcp', server: 'files', tool: 'read' });
    expect(await executors.execute(acme, mcpCall, signal)).toMatchObject({ value: 'mcp' });
    expect(await executors.execute(acme, invocation(CURRENT_TIME), signal)).toMatchObject({
      kind: 'succeeded',
    });
  });

  test('a component is never executed on the server', async () => {
    const component = invocation({ kind: 'component', component: 'StylePicker', submit: {} });
    await expect(executors.execute(acme, component, signal)).rejects.toThrow('nothing that executes it');
  });
});

describe('current_time', () => {
  const executor = new CurrentTimeExecutor(new ManualClock(Date.UTC(2026, 10, 29, 23, 30)));

  test('tells the time in UTC', async () => {
    expect(await executor.execute(acme, invocation(CURRENT_TIME))).toEqual({
      kind: 'succeeded',
      value: { utc: '2026-11-29T23:30:00.000Z' },
      files: [],
    });
  });

  test('tells the local date too when a time zone is named', async () => {
    expect(
      await executor.execute(acme, invocation(CURRENT_TIME, { timeZone: 'Asia/Shanghai' })),
    ).toMatchObject({
      value: {
        timeZone: 'Asia/Shanghai',
        local: { date: '2026-11-30', time: '07:30:00', weekday: 'Monday' },
      },
    });
  });

  test.each(['Mars/Olympus', 8])('the time zone %j is answered with what was expected', async (timeZone) => {
    expect(await executor.execute(acme, invocation(CURRENT_TIME, { timeZone }))).toMatchObject({
      kind: 'failed',
      error: { code: 'invalid_arguments', message: expect.stringContaining('IANA name') },
    });
  });
});
