import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { anArtifact } from '../../testing/log-builder.js';
import { createManualTiming, type ManualTiming } from '../../testing/manual-timing.js';
import { createPlinth } from '../create-plinth.js';
import type { Plinth } from '../plinth.js';
import { selectAttachments } from '../thread/attachments.js';
import type { ThreadSession } from '../thread/thread-session-api.js';

let platform: FakePlatform;
let plinth: Plinth;
let timing: ManualTiming;

beforeEach(() => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  timing = createManualTiming();
  plinth = createPlinth({ baseUrl: '', request: platform.request, ...timing });
});

const picture = () => new File(['123'], 'tea & cake.png', { type: 'image/png' });

async function open(): Promise<ThreadSession> {
  const session = plinth.thread('thr_1');
  session.subscribe(() => undefined);
  await eventually(() => expect(session.getSnapshot()).toMatchObject({ phase: 'ready', connection: 'live' }));
  return session;
}
const attachmentsOf = (session: ThreadSession, index = 0) => {
  const message = session.getSnapshot().messages[index];
  return message && selectAttachments(message);
};

describe('a file of the person', () => {
  it('is given as it is, under its name or another title', async () => {
    expect(await plinth.upload(picture())).toMatchObject({ title: 'tea & cake.png', sizeBytes: 3 });
    expect(await plinth.upload(new Blob(['1']), { title: 'one' })).toMatchObject({ title: 'one' });
    expect(platform.bodies.map(({ headers }) => headers.get('content-type'))).toEqual([
      'image/png',
      'application/octet-stream',
    ]);
  });

  it('that is too large, or of which the sending is given up, is a typed failure', async () => {
    platform.refuseNext('uploads', { status: 413, code: 'body_too_large' });
    await expect(plinth.upload(picture())).rejects.toMatchObject({ code: 'body_too_large', status: 413 });
    const release = platform.hold('uploads');
    const given = new AbortController();
    const upload = plinth.upload(picture(), { signal: given.signal });
    given.abort();
    await expect(upload).rejects.toMatchObject({ code: 'aborted' });
    release();
  });

  it('has more time than a call without one, and not for ever', async () => {
    const release = platform.hold('uploads');
    let outcome = 'under way';
    const upload = plinth.upload(picture()).catch(({ code }) => {
      outcome = code;
    });
    await timing.advance(60_000);
    expect(outcome).toBe('under way');
    await timing.advance(240_000);
    await upload;
    expect(outcome).toBe('timeout');
    release();
  });
});

describe('a message with attachments', () => {
  it('shows them at once, sends which they are, and then shows what the platform made of them', async () => {
    const session = await open();
    const upload = await plinth.upload(picture());
    const release = platform.hold('POST');
    const sending = session.send({
      text: 'Use these',
      agent: 'poster',
      attachments: [{ upload }, { artifact: anArtifact() }, { url: 'https://example.com/a.png' }],
    });
    expect(attachmentsOf(session)).toEqual([
      { artifactId: null, kind: 'image', mimeType: 'image/png', title: 'tea & cake.png', sizeBytes: 3 },
      { artifactId: 'art_1', kind: 'image', mimeType: 'image/png', title: 'Poster', sizeBytes: 10 },
      { artifactId: null, kind: null, mimeType: null, title: 'https://example.com/a.png', sizeBytes: null },
    ]);
    release();
    await sending;
    expect(platform.bodies.at(-1)?.body).toEqual({
      agent: 'poster',
      input: {
        text: 'Use these',
        attachments: [{ uploadId: 'upl_1' }, { artifactId: 'art_1' }, { url: 'https://example.com/a.png' }],
      },
    });
    const { key } = session.getSnapshot().messages[0] ?? {};
    await eventually(() =>
      expect(attachmentsOf(session)).toMatchObject([
        { artifactId: 'art_of_upl_1', title: 'tea & cake.png' },
        { artifactId: 'art_of_art_1' },
        { artifactId: 'art_of_https://example.com/a.png' },
      ]),
    );
    expect(session.getSnapshot().messages[0]?.key).toBe(key);
  });

  it('that could not be sent keeps them, and sends them with the next try', async () => {
    const session = await open();
    const upload = await plinth.upload(picture());
    platform.refuseNext('/runs', { status: 503, code: 'not_ready' });
    await session.send({ text: 'Use it', agent: 'poster', attachments: [{ upload }] }).catch(() => undefined);
    expect(attachmentsOf(session)).toMatchObject([{ title: 'tea & cake.png' }]);
    await session.resend(session.getSnapshot().messages[0]?.key ?? '');
    expect(platform.bodies.at(-1)?.body).toMatchObject({ input: { attachments: [{ uploadId: 'upl_1' }] } });
  });

  it('without any is sent as before', async () => {
    const session = await open();
    await session.send({ text: 'Hello', agent: 'poster', attachments: [] });
    expect(platform.bodies.at(-1)?.body).toEqual({ agent: 'poster', input: { text: 'Hello' } });
    expect(attachmentsOf(session)).toEqual([]);
  });
});
