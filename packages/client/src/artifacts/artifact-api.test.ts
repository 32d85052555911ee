import { beforeEach, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { createPlinth } from '../create-plinth.js';
import type { Plinth } from '../plinth.js';
import { readArtifactConflict } from './read-artifact-conflict.js';

let platform: FakePlatform;
let plinth: Plinth;

beforeEach(() => {
  platform = createFakePlatform();
  plinth = createPlinth({ baseUrl: 'https://api.example.com/', request: platform.request });
  platform.files.putArtifact({ kind: 'document', title: 'Plan' }, 'first');
});

describe('an artifact', () => {
  it('is listed, and read in its newest version or an older one, bytes included', async () => {
    platform.files.putArtifact({}, 'second');
    expect((await plinth.artifacts('thr_1', { limit: 5 })).items).toMatchObject([
      { id: 'art_1', version: 2 },
    ]);
    expect(platform.calls).toEqual(['GET /v1/artifacts?threadId=thr_1&limit=5']);
    expect(await plinth.artifact('art_1')).toMatchObject({
      version: 2,
      contentUrl: 'https://api.example.com/v1/artifacts/art_1/content?version=2',
    });
    expect(await (await plinth.artifactBytes('art_1')).text()).toBe('second');
    expect(await (await plinth.artifactBytes('art_1', { version: 1 })).text()).toBe('first');
  });

  it('is saved on the version that was changed, with the type of what is saved', async () => {
    const saved = await plinth.saveArtifact('art_1', new Blob(['second'], { type: 'text/markdown' }), {
      version: 1,
    });
    expect(saved.version).toBe(2);
    expect(await (await plinth.artifactBytes('art_1')).text()).toBe('second');
    const { headers } = platform.bodies.at(-1) ?? {};
    expect([headers?.get('if-match'), headers?.get('content-type')]).toEqual(['"1"', 'text/markdown']);
  });

  it('that somebody else has changed is not overwritten: the error carries the newest version', async () => {
    platform.files.putArtifact({ title: 'Plan' }, 'of the model');
    const refused = await plinth.saveArtifact('art_1', 'mine', { version: 1 }).catch((error) => error);
    expect(readArtifactConflict(refused)).toMatchObject({
      newest: { id: 'art_1', version: 2, title: 'Plan' },
    });
    const { newest } = readArtifactConflict(refused) ?? {};
    const merged = await plinth.saveArtifact('art_1', 'of both', { version: newest?.version ?? 0 });
    expect(merged.version).toBe(3);
  });

  it('that cannot be saved for another reason is no conflict', async () => {
    platform.refuseNext('PUT', { status: 413, code: 'body_too_large' });
    const refused = await plinth.saveArtifact('art_1', 'x', { version: 1 }).catch((error) => error);
    expect(refused).toMatchObject({ code: 'body_too_large' });
    expect([readArtifactConflict(refused), readArtifactConflict(new Error('x'))]).toEqual([null, null]);
  });
});
