// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { AT, aComponentInterrupt, aFrontendInterrupt } from '../../testing/log-builder.js';
import { createManualTiming, type ManualTiming } from '../../testing/manual-timing.js';
import { createPlinth } from '../create-plinth.js';
import type { PlinthOptions } from '../plinth.js';
import { selectInterruptStatus, selectOpenInterrupts } from '../thread/select-thread.js';
import type { ThreadSession } from '../thread/thread-session-api.js';
import { createLocalStorageOutbox, type OutboxStorage } from './outbox-storage.js';

const SUBMIT = { type: 'submit', value: { style: 'ink' } } as const;
const offline = { status: 503, code: 'not_ready' };

let platform: FakePlatform;
let timing: ManualTiming;

beforeEach(() => {
  platform = createFakePlatform();
  timing = createManualTiming();
  platform.addThread('thr_1');
  platform.startRun('thr_1', 'A poster');
});
afterEach(() => localStorage.clear());

/** A page of Ada's, loaded anew each time. */
async function page(options: Partial<PlinthOptions> = {}): Promise<ThreadSession> {
  const storage = createLocalStorageOutbox({ scope: 'ada' });
  const plinth = createPlinth({ baseUrl: '', request: platform.request, storage, ...timing, ...options });
  const session = plinth.thread('thr_1');
  session.subscribe(() => undefined);
  await eventually(() => expect(session.getSnapshot().phase).toBe('ready'));
  return session;
}

async function withForm(options: Partial<PlinthOptions> = {}): Promise<ThreadSession> {
  platform.emit('msg_a1', { type: 'interrupt.opened', interrupt: aComponentInterrupt() });
  const session = await page(options);
  await eventually(() => expect(selectOpenInterrupts(session.getSnapshot())).toHaveLength(1));
  return session;
}

const status = (session: ThreadSession) => {
  const message = session.getSnapshot().messages[1];
  const interrupt = message?.role === 'assistant' ? message.view.interrupts[0] : undefined;
  return interrupt && selectInterruptStatus(session.getSnapshot(), interrupt);
};
const answers = () => platform.bodies.filter(({ path }) => path.endsWith('/answer')).map(({ body }) => body);
const leases = () => platform.bodies.filter(({ path }) => path.endsWith('/lease'));

describe('an answer that does not get through', () => {
  it('is queued and sent again, as the same request, until the server has taken it', async () => {
    const session = await withForm();
    for (const loss of ['no response', offline, 'lost response'] as const)
      platform.refuseNext('answer', loss);
    const given = session.answer('int_1', SUBMIT);
    await eventually(() => expect(status(session)).toBe('queued'));
    for (let tries = 2; tries <= 4; tries += 1) {
      await timing.advance(10_000);
      await eventually(() => expect(answers()).toHaveLength(tries));
    }
    await given;
    expect(status(session)).toBe('answered');
    expect(new Set(answers().map((body) => JSON.stringify(body))).size).toBe(1);
  });

  it('is sent at once when the browser is back, without waiting for the pause to end', async () => {
    const session = await withForm();
    platform.refuseNext('answer', 'no response');
    void session.answer('int_1', SUBMIT);
    await eventually(() => expect(status(session)).toBe('queued'));
    window.dispatchEvent(new Event('online'));
    await eventually(() => expect(status(session)).toBe('answered'));
  });

  it('and is then refused for good is given up: its form is open again and shows why', async () => {
    const session = await withForm();
    const errors = [{ path: '/style', message: 'is not offered' }];
    platform.refuseNext('answer', 'no response');
    platform.refuseNext('answer', { status: 422, code: 'answer_invalid', errors });
    const given = session.answer('int_1', SUBMIT).catch(({ code }) => code);
    await eventually(() => expect(status(session)).toBe('queued'));
    await timing.advance(10_000);
    expect(await given).toBe('answer_invalid');
    expect(status(session)).toBe('open');
    expect(session.getSnapshot().answerErrors.int_1?.fields).toEqual(errors);
    expect(localStorage).toHaveLength(0);
  });

  it('is shown by the page after this one, which sends it', async () => {
    const before = await withForm();
    platform.refuseNext('answer', 'no response');
    void before.answer('int_1', SUBMIT);
    await eventually(() => expect(status(before)).toBe('queued'));
    platform.refuseNext('answer', 'no response');
    const after = await page();
    await eventually(() => expect(status(after)).toBe('queued'));
    await timing.advance(10_000);
    await eventually(() => expect(status(after)).toBe('answered'));
    expect(new Set(answers().map((body) => JSON.stringify(body))).size).toBe(1);
    await eventually(() => expect(localStorage).toHaveLength(0));
  });

  it('for want of a valid token is kept for the page after this one', async () => {
    const session = await withForm();
    platform.refuseNext('answer', { status: 401, code: 'unauthenticated' });
    await expect(session.answer('int_1', SUBMIT)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(localStorage).toHaveLength(1);
    const after = await page();
    await eventually(() => expect(status(after)).toBe('answered'));
  });

  it('of another person is left alone, and so is what is no answer', async () => {
    const own = createLocalStorageOutbox({ scope: 'bob' });
    const request = { requestId: 'of-bob-00', answer: SUBMIT };
    void own.put('int_9', JSON.stringify({ interruptId: 'int_9', threadId: 'thr_1', request }));
    void createLocalStorageOutbox({ scope: 'ada' }).put('int_8', '{"interruptId":1');
    await withForm();
    await timing.advance(60_000);
    expect(answers()).toEqual([]);
  });

  it('is sent also where nothing can be kept', async () => {
    const full: OutboxStorage = {
      load: () => Promise.reject(new Error('forbidden')),
      put: () => {
        throw new Error('full');
      },
      remove: () => Promise.reject(new Error('forbidden')),
    };
    const session = await withForm({ storage: full });
    await session.answer('int_1', SUBMIT);
    expect(status(session)).toBe('answered');
  });
});

describe('the result of a frontend tool', () => {
  const opened = { type: 'interrupt.opened', interrupt: aFrontendInterrupt() } as const;

  it('S3: that was not confirmed before a reload is delivered by the page after it, and the tool does not run again', async () => {
    let times = 0;
    const frontendTools = { editor: () => ++times };
    platform.emit('msg_a1', opened);
    platform.refuseNext('answer', 'no response');
    await page({ frontendTools });
    await eventually(() => expect(answers()).toHaveLength(1));
    // The first page is gone: what it would still do stays held back.
    const release = platform.hold('answer');
    const after = await page({ frontendTools });
    await eventually(() => expect(platform.calls.filter((line) => line.includes('/answer'))).toHaveLength(2));
    release();
    await eventually(() => expect(status(after)).toBe('answered'));
    expect([times, leases().length]).toEqual([1, 1]);
    expect(answers()[1]).toEqual(answers()[0]);
    await eventually(() => expect(localStorage).toHaveLength(0));
  });

  it('that comes too late, because the lease was lost, does not keep the tool from being run anew', async () => {
    let times = 0;
    const storage = createLocalStorageOutbox({ scope: 'ada' });
    const answer = { type: 'result', clientId: 'page-before', value: 0 } as const;
    const request = { requestId: 'of-the-page-before', answer };
    void storage.put('int_1', JSON.stringify({ interruptId: 'int_1', threadId: 'thr_1', request }));
    platform.refuseNext('answer', { status: 409, code: 'lease_not_held' });
    platform.emit('msg_a1', opened, {
      type: 'interrupt.leased',
      interruptId: 'int_1',
      lease: { clientId: 'page-before', since: AT },
    });
    const session = await page({ frontendTools: { editor: () => ++times } });
    await eventually(() => expect(status(session)).toBe('answered'));
    expect([times, leases().length]).toEqual([1, 1]);
  });
});
