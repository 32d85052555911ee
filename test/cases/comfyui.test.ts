import { type ComfyUiSim, startComfyUiSim } from '@plinth/comfyui-sim';
import { scripted } from '@plinth/model-sim';
import type { MessageView, StartRunResponse } from '@plinth/protocol';
import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import { type ApiClient, type PlinthUnderTest, startPlinth, until } from '@plinth/testkit/system';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { invertTool, paintTool } from './support/comfyui-tools.js';
import { query } from './support/run-holder.js';

/**
 * Workflows as tools, over two API and two worker processes and two ComfyUI hosts. The hosts are stand-ins that
 * can be told to die; all else is real.
 */
const PATIENT_MS = 120_000;
let plinth: PlinthUnderTest;
let hosts: [ComfyUiSim, ComfyUiSim];
let adminUrl: string;
let ada: ApiClient;
let close = async () => {};

beforeAll(async () => {
  const provided = inject('plinth');
  const [database, redis] = [await createTestDatabase(provided), await createTestRedis(provided)];
  hosts = [await startComfyUiSim(), await startComfyUiSim()];
  const urls = hosts.map(({ url }) => url);
  adminUrl = database.adminUrl;
  plinth = await startPlinth({
    topology: 'cluster',
    appUrl: database.appUrl,
    redisUrl: redis.url,
    business: () => ({
      key: 'acme',
      tools: [paintTool(['first', 'second']), invertTool(urls)],
      config: { comfyui: { hosts: { first: hosts[0].url, second: hosts[1].url } } },
    }),
    environment: { PLINTH_LEASE_MS: '2000', PLINTH_SWEEP_MS: '300' },
  });
  close = async () => {
    await plinth.close();
    await Promise.all(hosts.map((host) => host.close()));
    await redis.drop();
    await database.drop();
  };
}, PATIENT_MS);
afterAll(() => close(), PATIENT_MS);

beforeEach(async () => {
  ada = await plinth.session();
  for (const host of hosts) {
    host.release();
    Object.assign(host.faults, { stepMs: 0, refusePrompts: null, promptAnswers: 'given', failNode: null });
    Object.assign(host.faults, { refuseSockets: false, keepsNoHistory: false, ignoresPromptIds: false });
    host.requests.length = 0;
    host.queued().length = 0;
  }
});

/** A run whose model calls the tool once and then ends. */
async function start(name: string, values: Record<string, unknown>): Promise<StartRunResponse> {
  plinth.sim.setScenarios([
    scripted([{ toolCalls: [{ name, arguments: values as never }] }, { text: 'Done.' }]),
  ]);
  return ada.start('please');
}
const paint = (values = {}) => start('paint', { subject: 'a teapot', ...values });
const ended = (run: StartRunResponse): Promise<MessageView> => ada.ended(run.messageId, 60_000);
const queuedTimes = () => hosts.reduce((sum, host) => sum + host.queued().length, 0);
const jobsOf = ({ runId }: StartRunResponse) =>
  query<{ lease_owner: string | null; state: string; host: string }>(
    adminUrl,
    `SELECT lease_owner, state, host FROM remote_job WHERE run_id = '${runId}'`,
  );

/** The host at which the run's workflow stands still, once it is followed. */
async function standingAt(run: StartRunResponse): Promise<ComfyUiSim> {
  await ada.parkedOn(run.messageId, 'paint');
  await until('a follower', async () => (await jobsOf(run))[0]?.lease_owner, 20_000);
  const [job] = await jobsOf(run);
  const host = hosts.find(({ url }) => url === job?.host);
  if (!host) throw new Error('the job is at no host');
  const clientId = String(host.queued()[0]?.body?.client_id);
  await until('a follower that listens', () => host.hasClient(clientId), 20_000);
  return host;
}

async function failure(run: StartRunResponse): Promise<unknown> {
  const view = await ended(run);
  expect(view).toMatchObject({ status: 'completed', reason: 'final_answer' });
  return view.calls[0]?.error;
}

describe('a workflow as a tool', { timeout: PATIENT_MS }, () => {
  it('runs with the arguments in place, shows its progress, and its picture becomes an artifact', async () => {
    for (const host of hosts) host.hold();
    const run = await paint({ width: 96 });
    (await standingAt(run)).release();
    const view = await ended(run);
    expect(view.calls).toMatchObject([{ status: 'succeeded' }]);
    expect(view.artifacts).toMatchObject([{ kind: 'image', mimeType: 'image/png' }]);
    const [sent] = hosts[0].queued();
    expect(sent?.body?.prompt).toMatchObject({
      '5': { inputs: { width: 96 } },
      '6': { inputs: { text: 'a teapot' } },
    });
    const progress = (await ada.stream(run.messageId)).flatMap((entry) =>
      entry.type === 'tool.progress' ? [entry] : [],
    );
    expect(progress.map(({ message }) => message)).toContain('Sample');
    const values = progress.map((entry) => entry.progress);
    expect(values).toEqual([...values].sort((one, other) => (one ?? 0) - (other ?? 0)));
    expect(await jobsOf(run)).toEqual([]);
  });

  it('has a new seed for each call', async () => {
    await ended(await paint());
    await ended(await paint());
    const prompts = hosts.flatMap((host) => host.queued().map(({ body }) => body?.prompt));
    const seeds = prompts.map(
      (prompt) => (prompt as Record<string, { inputs: { seed: number } }>)['3']?.inputs.seed,
    );
    expect(new Set(seeds).size).toBe(2);
  });

  it('two calls at once go to two hosts: to the one with the shorter queue', async () => {
    for (const host of hosts) host.hold();
    const first = await paint();
    await until('the first job', () => hosts[0].queued().length === 1);
    const second = await paint();
    await until('the second job', () => hosts[1].queued().length === 1);
    for (const host of hosts) host.release();
    expect((await Promise.all([ended(first), ended(second)])).map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ]);
  });

  it('takes a picture of the conversation as its input; one of another person is not there', async () => {
    const made = await ended(await paint());
    const picture = made.artifacts[0]?.id;
    const view = await ended(await start('invert', { picture }));
    expect(view.artifacts).toMatchObject([{ kind: 'image', title: 'Inverted' }]);
    ada = await plinth.session('bob');
    expect(await failure(await start('invert', { picture }))).toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringContaining('picture: there is no artifact'),
    });
  });

  it('what the host does not take is told by the name of the argument, and nothing is queued', async () => {
    const error = await failure(await paint({ width: 1 }));
    expect(error).toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringMatching(/width: Value 1 smaller than min of 16/),
    });
    expect(queuedTimes()).toBe(0);
  });

  it('a node that fails is named with what it said', async () => {
    for (const host of hosts) host.faults.failNode = { node: '8', message: 'out of memory' };
    expect(await failure(await paint())).toEqual({
      code: 'execution_failed',
      message: 'The workflow failed at "VAEDecode": out of memory',
    });
  });
});

describe('when something breaks', { timeout: PATIENT_MS }, () => {
  it('a worker that is killed while the workflow runs: the other one takes the job over, and it ran once', async () => {
    for (const host of hosts) host.hold();
    const run = await paint();
    const host = await standingAt(run);
    const [job] = await jobsOf(run);
    const holder = plinth.workers.find(({ pid }) => job?.lease_owner?.includes(`:${pid}:`));
    await holder?.stop('SIGKILL');
    await until('another follower', async () => {
      const [now] = await jobsOf(run);
      return now?.lease_owner !== job?.lease_owner && now?.lease_owner;
    });
    host.release();
    expect(await ended(run)).toMatchObject({
      calls: [{ status: 'succeeded' }],
      artifacts: [{ kind: 'image' }],
    });
    expect(queuedTimes()).toBe(1);
    await holder?.start();
  });

  it('both workers killed between sending and hearing the answer: the prompt is found, not queued again', async () => {
    for (const host of hosts) Object.assign(host.faults, { promptAnswers: 'held' });
    for (const host of hosts) host.hold();
    const run = await paint();
    await until('the prompt', () => queuedTimes() === 1);
    await Promise.all(plinth.workers.map((worker) => worker.stop('SIGKILL')));
    for (const host of hosts) Object.assign(host.faults, { promptAnswers: 'given' });
    await Promise.all(plinth.workers.map((worker) => worker.start()));
    for (const host of hosts) host.release();
    expect(await ended(run)).toMatchObject({ calls: [{ status: 'succeeded' }] });
    expect(queuedTimes()).toBe(1);
  });

  it('a WebSocket that is cut, and refused from then on: the end is found by asking', async () => {
    for (const host of hosts) host.hold();
    const run = await paint();
    const host = await standingAt(run);
    host.faults.refuseSockets = true;
    host.dropSockets();
    host.release();
    expect(await ended(run)).toMatchObject({ calls: [{ status: 'succeeded' }] });
    expect(queuedTimes()).toBe(1);
  });

  it('a host that is down before the workflow is queued: the other one gets it', async () => {
    await hosts[0].die();
    const run = await paint();
    expect(await ended(run)).toMatchObject({ calls: [{ status: 'succeeded' }] });
    expect(hosts[1].queued()).toHaveLength(1);
    await hosts[0].revive();
  });

  it('no host at all: the model hears that it should not retry now', async () => {
    await Promise.all(hosts.map((host) => host.die()));
    expect(await failure(await paint())).toMatchObject({ code: 'unavailable' });
    await Promise.all(hosts.map((host) => host.revive()));
  });

  it('a host that dies with the job and stays away: the job is given up, and not started elsewhere', async () => {
    for (const host of hosts) host.hold();
    const run = await paint();
    const host = await standingAt(run);
    await host.die();
    expect(await failure(run)).toMatchObject({ code: 'host_lost' });
    expect(queuedTimes()).toBe(1);
    await host.revive();
  });

  it('a host that comes back without the job: the model hears that nobody knows', async () => {
    for (const host of hosts) host.hold();
    const run = await paint();
    const host = await standingAt(run);
    await host.die();
    await host.revive();
    expect(await failure(run)).toMatchObject({ code: 'job_lost' });
    expect(queuedTimes()).toBe(1);
  });

  it('an answer to the sending that is lost: the prompt is found by its name, also at a host that ignores ours', async () => {
    for (const host of hosts) Object.assign(host.faults, { promptAnswers: 'cut', ignoresPromptIds: true });
    const run = await paint();
    expect(await ended(run)).toMatchObject({ calls: [{ status: 'succeeded' }] });
    expect(queuedTimes()).toBe(1);
  });

  it('a cancel interrupts the workflow that runs, and takes one back that waits', async () => {
    await hosts[1].die();
    hosts[0].hold();
    const running = await paint();
    await standingAt(running);
    const waiting = await paint();
    await until('the second job', () => hosts[0].remaining() === 2);
    await ada.parkedOn(waiting.messageId, 'paint');
    await ada.call('POST', `/v1/runs/${waiting.runId}/cancel`);
    await until('the one that waits is gone', () => hosts[0].remaining() === 1);
    expect(hosts[0].requests.filter(({ path }) => path === '/interrupt')).toEqual([]);
    await ada.call('POST', `/v1/runs/${running.runId}/cancel`);
    await until('the one that runs is gone', () => hosts[0].remaining() === 0);
    for (const run of [running, waiting]) {
      expect(await ended(run)).toMatchObject({ status: 'cancelled' });
      await until('no row is left', async () => (await jobsOf(run)).length === 0);
    }
    await hosts[1].revive();
  });

  it('a cancel that reaches no host is made up for when the host is back', async () => {
    await hosts[1].die();
    hosts[0].hold();
    const run = await paint();
    await standingAt(run);
    await query(
      adminUrl,
      `UPDATE interrupt SET state = 'closed', closed_why = 'cancelled' WHERE run_id = '${run.runId}'`,
    );
    hosts[0].dropSockets();
    await until('the host stops it', () => hosts[0].remaining() === 0, 30_000);
    await until('no row is left', async () => (await jobsOf(run)).length === 0);
    await hosts[1].revive();
  });
});
