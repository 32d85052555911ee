import { type JsonValue, type RemotePoll, remotePoll } from '@plinth/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { valueAt } from './json-pointer.js';
import { delayMs } from './poll-follower.js';
import { readStatus } from './read-status.js';

const poll = (more: Partial<RemotePoll> = {}): RemotePoll =>
  remotePoll.parse({ url: 'https://jobs.test/{jobId}', ...more });

it('a pointer leads to the value, through lists, and through names with / and ~', () => {
  const document = { a: [{ 'b/c': { '~d': 1 } }], '': 2 };
  expect(valueAt(document, '/a/0/b~1c/~0d')).toBe(1);
  expect(valueAt(document, '')).toBe(document);
  expect(valueAt(document, '/')).toBe(2);
  expect(valueAt(document, '/a/1')).toBeUndefined();
  expect(valueAt(document, '/constructor')).toBeUndefined();
});

it('a pointer made of the keys of any document leads there', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 5 }), fc.jsonValue(), (keys, leaf) => {
      const document = keys.reduceRight<JsonValue>(
        // A computed "__proto__" is a member like any other, as in JSON.
        (inner, key) => ({ [key]: inner }),
        leaf as JsonValue,
      );
      const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      expect(valueAt(document, pointer)).toEqual(leaf);
    }),
  );
});

it.each<[string, Partial<RemotePoll>, JsonValue, unknown]>([
  [
    'a status that is neither done nor failed runs',
    {},
    { status: 'busy', progress: 0.5 },
    { kind: 'running', progress: 0.5 },
  ],
  ['progress beyond its range is cut', {}, { status: 'busy', progress: 7 }, { kind: 'running', progress: 1 }],
  [
    'the words of the service count',
    { done: ['OK'], statusPointer: '/data/state', resultPointer: '/data/out' },
    { data: { state: 'OK', out: [1] } },
    { kind: 'succeeded', result: [1], files: [] },
  ],
  [
    'a status of true or false',
    { done: ['true'], statusPointer: '/ready' },
    { ready: true },
    { kind: 'succeeded', result: null, files: [] },
  ],
  [
    'a reason with a code',
    {},
    { status: 'failed', error: { code: 'no_paper', message: 'Empty.' } },
    { kind: 'failed', outcome: { ok: false, error: { code: 'no_paper', message: 'Empty.' } } },
  ],
  [
    'a reason in words',
    {},
    { status: 'failed', error: 'Empty.' },
    { kind: 'failed', outcome: { ok: false, error: { code: 'job_failed', message: 'Empty.' } } },
  ],
])('%s', (_what, more, answer, expected) => {
  expect(readStatus(poll(more), answer)).toEqual(expected);
});

it('an answer without a status, or with files of another form, is not usable', () => {
  expect(readStatus(poll(), { state: 'done' }).kind).toBe('unreadable');
  expect(readStatus(poll(), { status: 'succeeded', files: ['a.png'] }).kind).toBe('unreadable');
});

it('the time between two looks grows by half, up to the most', () => {
  const times = [1, 2, 3, 50].map((looks) =>
    delayMs(poll({ intervalSeconds: 4, maxIntervalSeconds: 30 }), looks),
  );
  expect(times).toEqual([6000, 9000, 13_500, 30_000]);
});

it.each([
  [{ url: 'https://jobs.test/status' }, 'url'],
  [{ url: 'ftp://jobs.test/{jobId}' }, 'url'],
  [{ intervalSeconds: 60, maxIntervalSeconds: 5 }, 'maxIntervalSeconds'],
  [{ statusPointer: 'status' }, 'statusPointer'],
])('%j is refused', (more, path) => {
  const parsed = remotePoll.safeParse({ url: 'https://jobs.test/{jobId}', ...more });
  expect(parsed.error?.issues[0]?.path).toEqual([path]);
});
