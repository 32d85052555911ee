import type { JsonObject, StartRunResponse } from '@plinth/protocol';
import { until } from '@plinth/testkit/system';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { heldEvents, letEventsGo, stallEvents } from '../support/event-stall.js';
import { onHostPage, type Person } from '../support/on-host-page.js';

const editTool = (key: string, more: JsonObject): JsonObject => ({
  key,
  title: 'Edit',
  description: 'Edits a file in the page of the user.',
  parameters: { type: 'object' },
  executor: { kind: 'frontend', handler: 'editor', claimTimeoutSeconds: 600, ...more },
});
const tools = (jobs: string) => [
  editTool('edit', {}),
  editTool('edit_again', { recovery: 'rerun', leaseSeconds: 2 }),
  editTool('edit_once', { recovery: 'fail', leaseSeconds: 2 }),
  editTool('edit_asking', { recovery: 'ask', leaseSeconds: 2 }),
  {
    key: 'lookup',
    title: 'Look up',
    description: 'Looks something up.',
    parameters: { type: 'object' },
    executor: { kind: 'remote', url: `${jobs}/lookup` },
  },
];

const call = (name: string) => ({ name, arguments: { file: 'a.txt' } });
const begins = (page: Page) => page.waitForFunction(() => document.title === 'Editing');
const timesBegun = (page: Page) => page.evaluate(() => Number(localStorage.begun ?? 0));
const letEnd = (page: Page) =>
  page.evaluate(() => {
    localStorage.mayEnd = 'yes';
    // The tab that writes gets no event of its own.
    dispatchEvent(new StorageEvent('storage', { key: 'mayEnd' }));
  });
const isDone = (page: Page) => page.getByRole('article').getByText('Done.', { exact: true }).waitFor();

/** The results of tools that the request to the model carries. */
const resultsIn = (raw = '{"messages":[]}'): string[] =>
  (JSON.parse(raw) as { messages: { role: string; content: string }[] }).messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
const EDITED = '{"result":{"edited":"a.txt"}}';

onHostPage('tools that the page runs', tools, (use) => {
  /** A run that waits for a page which has begun its tool, and is reloaded in the middle of it. */
  async function reloaded(tool: string): Promise<{ ada: Person; run: StartRunResponse; page: Page }> {
    const { person, script } = use();
    script({ toolCalls: [call(tool)] }, { text: 'Done.' });
    const ada = await person();
    const run = await ada.api.start('edit it');
    const page = await ada.tab(run.threadId);
    await begins(page);
    await page.reload();
    return { ada, run, page };
  }

  it('S3 rerun: a tool that runs while the page is reloaded is run again, and its result is taken once', async () => {
    const { page } = await reloaded('edit_again');
    await begins(page);
    await letEnd(page);
    await isDone(page);
    expect(await timesBegun(page)).toBe(2);
    expect(use().requests().map(resultsIn)).toEqual([[], [EDITED]]);
  });

  it('S3 ask: the person is asked in the page, says that it did not happen, and it is run again', async () => {
    const { page } = await reloaded('edit_asking');
    await page.getByRole('button', { name: 'It did not happen' }).click();
    await begins(page);
    await letEnd(page);
    await isDone(page);
    expect(await timesBegun(page)).toBe(2);
    expect(use().requests().map(resultsIn)).toEqual([[], [EDITED]]);
  });

  it('S3 fail: it is not run again; the page goes on, and the model is told that nobody knows', async () => {
    const { page, ada, run } = await reloaded('edit_once');
    await isDone(page);
    expect(await timesBegun(page)).toBe(1);
    expect((await ada.api.message(run.messageId)).calls).toMatchObject([
      { status: 'unknown', error: { code: 'client_lost' } },
    ]);
    expect(use().requests()).toHaveLength(2);
  });

  it('S4: a result that comes back before the page has read the events of its turn is kept, and the run goes on once', async () => {
    const { plinth, person, script, requests } = use();
    script({ text: 'Hello.' });
    const ada = await person();
    const { threadId, messageId } = await ada.api.start('hello');
    await ada.api.ended(messageId);
    await stallEvents(ada.context, '"type":"interrupt.opened"');
    const page = await ada.tab(threadId);
    await page.getByRole('article').getByText('Hello.', { exact: true }).waitFor();
    await letEnd(page);

    script({ toolCalls: [call('edit'), { name: 'lookup', arguments: {} }] }, { text: 'Done.' });
    const editOf = async (message: string) =>
      (await ada.api.message(message)).calls.find(({ tool }) => tool === 'edit');
    // The service is not done with its answer until the page's result is in: the run has not even parked by then.
    let statusAtResult: string | null = null;
    let answered = () => {};
    plinth.jobs.react = async ({ runId }) => {
      await new Promise<void>((resolve) => {
        answered = resolve;
      });
      statusAtResult = (await ada.api.run(runId)).status;
      return { status: 202, body: {} };
    };
    const accepted = page.waitForResponse((one) => one.url().endsWith('/answer') && one.ok());
    const run = await ada.api.start('edit it and look it up', { threadId });
    const dispatch = await plinth.jobs.dispatchOf(run.runId);
    await accepted;
    answered();
    await until('the result is kept', async () => (await editOf(run.messageId))?.status === 'succeeded');
    await plinth.jobs.finish(dispatch);
    expect(await ada.api.ended(run.messageId)).toMatchObject({ reason: 'final_answer' });

    expect(statusAtResult).toBe('running');
    await expect.poll(() => heldEvents(page)).toBeGreaterThan(0);
    expect(await page.getByRole('article').getByText('Done.', { exact: true }).count()).toBe(0);
    await letEventsGo(page);
    await isDone(page);
    expect(await timesBegun(page)).toBe(1);
    expect(requests().map(resultsIn)).toEqual([[], [EDITED, '{"result":{"done":true}}']]);
  });
});
