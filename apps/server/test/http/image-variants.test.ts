import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, ImageRef, ImageVariant } from '@plinth/engine';
import type { ArtifactId, TenantId } from '@plinth/protocol';
import { anId, ManualClock } from '@plinth/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LocalArtifactStore } from '../../src/artifacts/local-artifact-store.js';
import { DerivedKeys } from '../../src/auth/derived-keys.js';
import { buildImages } from '../../src/images/build-images.js';
import { renderPicture } from '../../src/images/render-picture.js';
import { VariantUrls } from '../../src/images/variant-urls.js';
import { TenantDatabase } from '../../src/platform/database/tenant-database.js';
import { systemClock } from '../../src/platform/system-clock.js';
import { withAlpha } from '../images/corpus.js';
import { RENDER_PROCESS, SECRET } from '../images/pipeline-fixture.js';
import { tools, withPlinth } from './with-plinth.js';

const dataDir = mkdtempSync(join(tmpdir(), 'plinth-variants-'));
const plinth = withPlinth({ PLINTH_SECRET: SECRET, PLINTH_DATA_DIR: dataDir });
const WALLS = { side: 1000, bytes: 100_000, formats: ['image/webp'] } as const;
let database: TenantDatabase;
let acme: TenantId;
let bolt: TenantId;
let variant: ImageVariant;
let bytes: Uint8Array;

const urlsAt = (clock: Clock) => new VariantUrls(new DerivedKeys(SECRET), clock, plinth().url);
const sign = (tenant: TenantId, clock: Clock = systemClock) => urlsAt(clock).sign(tenant, variant);

async function idOf(key: string): Promise<TenantId> {
  const client = new pg.Client({ connectionString: plinth().adminUrl });
  await client.connect();
  const { rows } = await client.query<{ id: TenantId }>('SELECT id FROM tenant WHERE key = $1', [key]);
  await client.end();
  if (rows[0] === undefined) throw new Error(`there is no tenant ${key}`);
  return rows[0].id;
}

/** As a worker does it, over the same database and the same folder. */
beforeAll(async () => {
  await plinth().addBusiness({ key: 'bolt', tools: tools(plinth().jobs.url) });
  [acme, bolt] = [await idOf('acme'), await idOf('bolt')];
  database = new TenantDatabase({ url: plinth().appUrl, poolSize: 2 });
  const artifacts = new LocalArtifactStore(dataDir);
  const images = buildImages({
    database,
    artifacts,
    clock: systemClock,
    secrets: new DerivedKeys(SECRET),
    publicUrl: plinth().url,
    allow: [],
    renderProcess: RENDER_PROCESS,
  });
  const original = await withAlpha().png().toBuffer();
  const stored = await artifacts.put(acme, original);
  const image: ImageRef = {
    ...stored,
    artifactId: anId<ArtifactId>('artifact'),
    title: 'a.png',
    mimeType: 'image/png',
  };
  const made = await images.pipeline.variant(acme, image, 0, WALLS, new AbortController().signal);
  if ('unreadable' in made) throw new Error(made.unreadable);
  variant = made;
  bytes = await images.pipeline.bytes(acme, variant);
  expect(images.pipeline.url(acme, variant)).toBe(sign(acme));
  images.close();
}, 90_000);
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('a model fetches exactly the bytes of the variant, under a type that nobody may guess otherwise', async () => {
  const response = await fetch(sign(acme));
  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-length': String(variant.sizeBytes),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=86400, immutable',
  });
  const again = await renderPicture({ bytes: await withAlpha().png().toBuffer(), step: 0, walls: WALLS });
  expect(again.kind === 'picture' && Buffer.from(again.bytes).equals(bytes)).toBe(true);
});

it("another tenant's signature opens nothing of this one, and its own key opens no picture that it has not", async () => {
  const url = new URL(sign(acme));
  url.searchParams.set('tenant', bolt);
  const forged = await fetch(url);
  expect([forged.status, ((await forged.json()) as { code: string }).code]).toEqual([403, 'forbidden']);
  const own = await fetch(sign(bolt));
  expect([own.status, ((await own.json()) as { code: string }).code]).toEqual([404, 'not_found']);
});

it('an old URL says that it has expired, and one without a signature that it was not signed here', async () => {
  const past = new ManualClock();
  const old = await fetch(sign(acme, past));
  expect([old.status, ((await old.json()) as { code: string }).code]).toEqual([401, 'token_expired']);
  const bare = await fetch(sign(acme).split('?')[0] ?? '');
  expect(bare.status).toBe(403);
});
