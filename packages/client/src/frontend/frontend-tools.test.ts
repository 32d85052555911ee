import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { AT, aFrontendInterrupt } from '../../testing/log-builder.js';
import { createManualTiming, type ManualTiming } from '../../testing/manual-timing.js';
import { createPlinth } from '../create-plinth.js';
import type { FrontendTool } from './frontend-tool.js';

let platform: FakePlatform;
let timing: ManualTiming;

beforeEach(() => {
  platform = createFakePlatform();
  timing = createManualTiming();
  platform.addThread('thr_1');
  platform.startRun('thr_1', 'Edit it');
});

/** A page that shows the thread, with this handler. */
function page(editor: FrontendTool) {
  const plinth = createPlinth({
    baseUrl: '',
    request: platform.request,
    frontendTools: { editor },
    ...timing,
  });
  const session = plinth.thread('thr_1');
  session.subscribe(() => undefined);
  return session;
}

const open = (changes = {}) =>
  platform.emit('msg_a1', { type: 'interrupt.opened', interrupt: aFrontendInterrupt(changes) });
const posts = (part: string) =>
  platform.bodies.filter(({ path }) => path.endsWith(part)).map(({ body }) => body);
const clientIds = () => new Set(posts('/lease').map((body) => (body as { clientId: string }).clientId));

describe('a frontend tool', () => {
  it('runs when this page has the lease, and its result is the answer, under the same name', async () => {
    const seen: unknown[] = [];
    page((args, { interruptId, callId }) => {
      seen.push(args, interruptId, callId);
      return { saved: true };
    });
    open();
    await eventually(() => expect(posts('/answer')).toHaveLength(1));
    expect(seen).toEqual([{ file: 'a.txt' }, 'int_1', 'tc_1']);
    const [clientId] = clientIds();
    expect(posts('/answer')).toMatchObject([
      { answer: { type: 'result', clientId, value: { saved: true } } },
    ]);
  });

  it('is begun once, however often its interrupt is seen', async () => {
    let times = 0;
    page(() => {
      times += 1;
      return new Promise(() => undefined);
    });
    open();
    await eventually(() => expect(times).toBe(1));
    platform.emit('msg_a1', { type: 'tool.progress', callId: 'x', progress: 0, message: null });
    open();
    platform.emit('msg_a1', {
      type: 'interrupt.leased',
      interruptId: 'int_1',
      lease: { clientId: 'some-page', since: AT },
    });
    await eventually(() => expect(platform.messageLog('msg_a1').entries).toHaveLength(4));
    expect([times, posts('/lease').length]).toEqual([1, 1]);
  });

  it('that this page has no handler for is left to another one', async () => {
    const session = page(() => 'mine');
    open({ handler: 'toString' });
    await eventually(() => expect(session.getSnapshot().cursors).toEqual({ msg_a1: '1-1' }));
    expect(posts('/lease')).toEqual([]);
  });

  it('what the handler throws is told, with its code', async () => {
    page(() => {
      throw Object.assign(new Error('Somebody else edits it.'), { code: 'file_locked' });
    });
    open();
    await eventually(() =>
      expect(posts('/answer')).toMatchObject([
        { answer: { type: 'failure', error: { code: 'file_locked', message: 'Somebody else edits it.' } } },
      ]),
    );
  });

  it('a result that is no JSON is a failure, and nothing at all is null', async () => {
    page((args) => (args.file === 'a.txt' ? (1n as never) : undefined));
    open();
    open({ id: 'int_2', arguments: {} });
    await eventually(() => expect(posts('/answer')).toHaveLength(2));
    expect(posts('/answer')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ answer: expect.objectContaining({ type: 'failure' }) }),
        expect.objectContaining({ answer: expect.objectContaining({ type: 'result', value: null }) }),
      ]),
    );
  });
});

describe('the lease', () => {
  const held = (mayFollow: boolean) => ({
    status: 409,
    code: 'interrupt_leased',
    facts: { until: new Date(timing.now() + 20_000).toISOString(), mayFollow },
  });

  it('S3: of a page that went away is taken over when it has ended, where the tool allows that', async () => {
    let times = 0;
    platform.refuseNext('lease', held(true));
    page(() => ++times);
    open();
    await eventually(() => expect(posts('/lease')).toHaveLength(1));
    await timing.advance(19_000);
    expect([times, posts('/lease').length]).toEqual([0, 1]);
    await timing.advance(3_000);
    await eventually(() => expect(posts('/answer')).toHaveLength(1));
    expect(times).toBe(1);
  });

  it('S3: of a tool that is not run twice is left to who began it', async () => {
    let times = 0;
    platform.refuseNext('lease', held(false));
    page(() => ++times);
    open();
    await eventually(() => expect(posts('/lease')).toHaveLength(1));
    await timing.advance(600_000);
    expect([times, posts('/lease').length]).toEqual([0, 1]);
  });

  it('is another one after a reload: the page before had begun, not this one', async () => {
    page(() => new Promise(() => undefined));
    page(() => new Promise(() => undefined));
    open();
    await eventually(() => expect(posts('/lease')).toHaveLength(2));
    expect(clientIds().size).toBe(2);
  });

  it('is renewed while the handler works, also through a lost request, and the handler is stopped when it is lost', async () => {
    let signal: AbortSignal | undefined;
    page((_args, context) => {
      signal = context.signal;
      return new Promise((_resolve, reject) =>
        context.signal.addEventListener('abort', () => reject(new Error('stopped'))),
      );
    });
    open();
    await eventually(() => expect(signal).toBeDefined());
    platform.refuseNext('lease', 'no response');
    for (let renewals = 2; renewals < 5; renewals += 1) {
      await timing.advance(5_000);
      await eventually(() => expect(posts('/lease')).toHaveLength(renewals));
    }
    expect(signal?.aborted).toBe(false);
    platform.refuseNext('lease', {
      status: 409,
      code: 'interrupt_leased',
      facts: { mayFollow: true, until: AT },
    });
    await timing.advance(5_000);
    await eventually(() => expect(signal?.aborted).toBe(true));
    expect(posts('/answer')).toEqual([]);
  });
});

describe('the answer', () => {
  it('is sent again until it has arrived, as the same request', async () => {
    platform.refuseNext('answer', 'lost response');
    page(() => 'done');
    open();
    await eventually(() => expect(posts('/answer')).toHaveLength(1));
    await timing.advance(1_000);
    await eventually(() => expect(posts('/answer')).toHaveLength(2));
    expect(posts('/answer')[1]).toEqual(posts('/answer')[0]);
  });

  it('of a tool that nobody waits for any more is not sent: the handler is told', async () => {
    let aborted = false;
    page(
      (_args, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('stopped'));
          }),
        ),
    );
    open();
    await eventually(() => expect(posts('/lease')).toHaveLength(1));
    platform.emit('msg_a1', { type: 'interrupt.closed', interruptId: 'int_1', why: 'cancelled' });
    await eventually(() => expect(aborted).toBe(true));
    expect(posts('/answer')).toEqual([]);
  });
});
