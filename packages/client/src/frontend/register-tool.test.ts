import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { aFrontendInterrupt } from '../../testing/log-builder.js';
import { createManualTiming } from '../../testing/manual-timing.js';
import { createPlinth } from '../create-plinth.js';
import type { Plinth } from '../plinth.js';
import { selectToolQuestions } from '../thread/select-thread.js';
import type { ThreadSession } from '../thread/thread-session-api.js';

let platform: FakePlatform;
let plinth: Plinth;

beforeEach(() => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  platform.startRun('thr_1', 'Edit it');
  plinth = createPlinth({ baseUrl: '', request: platform.request, ...createManualTiming() });
});

function open(): ThreadSession {
  const session = plinth.thread('thr_1');
  session.subscribe(() => undefined);
  return session;
}
const ask = (changes = {}) =>
  platform.emit('msg_a1', { type: 'interrupt.opened', interrupt: aFrontendInterrupt(changes) });
const posts = (part: string) =>
  platform.bodies.filter(({ path }) => path.endsWith(part)).map(({ body }) => body);
const asked = (session: ThreadSession) => selectToolQuestions(session.getSnapshot()).map(({ id }) => id);

describe('a registered tool', () => {
  it('gets the arguments as its schema makes them, and its result is the answer', async () => {
    const seen: unknown[] = [];
    plinth.registerTool({
      name: 'editor',
      parameters: z.object({ file: z.string(), line: z.number().default(1) }),
      execute: ({ file, line }) => {
        seen.push(`${file.toUpperCase()}:${line}`);
        return { saved: true };
      },
    });
    open();
    ask();
    await eventually(() =>
      expect(posts('/answer')).toMatchObject([{ answer: { type: 'result', value: { saved: true } } }]),
    );
    expect(seen).toEqual(['A.TXT:1']);
  });

  it('does nothing with arguments that do not fit: the model is told what is wrong', async () => {
    let times = 0;
    const parameters = z.object({ file: z.object({ name: z.string('write a name') }) });
    plinth.registerTool({ name: 'editor', parameters, execute: () => ++times });
    open();
    ask({ arguments: { file: {} } });
    await eventually(() =>
      expect(posts('/answer')).toMatchObject([
        {
          answer: {
            type: 'failure',
            error: { code: 'arguments_invalid', message: 'file.name: write a name' },
          },
        },
      ]),
    );
    expect(times).toBe(0);
  });

  it('that comes after its interrupt is begun then; the newest of a name is taken, and one that has left is not', async () => {
    const session = open();
    ask();
    await eventually(() => expect(session.getSnapshot().cursors).toEqual({ msg_a1: '1-1' }));
    expect(posts('/lease')).toEqual([]);
    plinth.registerTool({ name: 'editor', execute: () => 'older' });
    await eventually(() => expect(posts('/answer')).toHaveLength(1));
    const leave = plinth.registerTool({ name: 'editor', execute: () => 'newest' });
    ask({ id: 'int_2' });
    await eventually(() => expect(posts('/answer')).toHaveLength(2));
    leave();
    ask({ id: 'int_3' });
    await eventually(() => expect(posts('/answer')).toHaveLength(3));
    expect(posts('/answer')).toMatchObject([
      { answer: { value: 'older' } },
      { answer: { value: 'newest' } },
      { answer: { value: 'older' } },
    ]);
  });
});

describe('the permission of a tool', () => {
  let times: number;
  beforeEach(() => {
    times = 0;
  });
  const register = (permission: 'ask' | 'deny') =>
    plinth.registerTool({ name: 'editor', permission, execute: () => ++times });

  it('ask: nothing is done before the person has allowed it, and the page holds the lease meanwhile', async () => {
    register('ask');
    const session = open();
    ask();
    await eventually(() => expect(asked(session)).toEqual(['int_1']));
    expect([times, posts('/lease').length, posts('/answer').length]).toEqual([0, 1, 0]);
    session.allowTool('int_1');
    expect(asked(session)).toEqual([]);
    await eventually(() =>
      expect(posts('/answer')).toMatchObject([{ answer: { type: 'result', value: 1 } }]),
    );
  });

  it('ask: a no is told to the model with its reason, and nothing is done', async () => {
    register('ask');
    const session = open();
    ask();
    await eventually(() => expect(asked(session)).toEqual(['int_1']));
    session.denyTool('int_1', 'not now');
    await eventually(() =>
      expect(posts('/answer')).toMatchObject([{ answer: { type: 'decline', reason: 'not now' } }]),
    );
    expect(times).toBe(0);
  });

  it('ask: the question goes away with its interrupt, and cannot be decided twice', async () => {
    register('ask');
    const session = open();
    ask();
    await eventually(() => expect(asked(session)).toEqual(['int_1']));
    platform.emit('msg_a1', { type: 'interrupt.closed', interruptId: 'int_1', why: 'cancelled' });
    await eventually(() => expect(session.getSnapshot().toolQuestions).toEqual({}));
    expect(() => session.allowTool('int_1')).toThrow(expect.objectContaining({ code: 'unknown_question' }));
    expect([times, posts('/answer')]).toEqual([0, []]);
  });

  it('deny: the model is told, without a lease', async () => {
    register('deny');
    open();
    ask();
    await eventually(() => expect(posts('/answer')).toMatchObject([{ answer: { type: 'decline' } }]));
    expect([times, posts('/lease')]).toEqual([0, []]);
  });
});
