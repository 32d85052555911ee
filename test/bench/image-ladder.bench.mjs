/**
 * What a camera's picture of about 8 MB costs on each rung of the ladder: milliseconds until the variant is there, and
 * its bytes. Rungs are taken in order, as a request that is too large goes down them. Then the same once more: by
 * another process, which finds the rows and the bytes, and by the same one, which remembers.
 *
 * The picture is noise over gradients: a real photo of its size has fewer bytes on every rung.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMAGE_LADDER } from '@plinth/engine';
import { LocalArtifactStore } from '../../apps/server/dist/artifacts/local-artifact-store.js';
import { DerivedKeys } from '../../apps/server/dist/auth/derived-keys.js';
import { buildImages } from '../../apps/server/dist/images/build-images.js';
import { TenantDatabase } from '../../apps/server/dist/platform/database/tenant-database.js';
import { RandomIds } from '../../apps/server/dist/platform/random-ids.js';
import { systemClock } from '../../apps/server/dist/platform/system-clock.js';
import { Tenants } from '../../apps/server/dist/tenants/tenants.js';

const sharp = createRequire(new URL('../../apps/server/package.json', import.meta.url))('sharp');

const PICTURES = 5;
const WIDTH = 4_000;
const HEIGHT = 3_000;
const SECRET = 'bQ7v2Lx9ZkT4mWb8NcY6sLf3HdGa5Ue1RiOoPtXzVwA';
/** As an endpoint takes them that sets no narrow walls. */
const WALLS = { side: 8_000, bytes: 20_000_000, formats: ['image/jpeg', 'image/png', 'image/webp'] };

export default async function measure({ appUrl }) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-images-'));
  const database = new TenantDatabase({ url: appUrl, poolSize: 4 });
  const artifacts = new LocalArtifactStore(folder);
  const secrets = new DerivedKeys(SECRET);
  const build = () =>
    buildImages({
      database,
      artifacts,
      clock: systemClock,
      secrets,
      publicUrl: 'http://localhost',
      allow: [],
    });
  const [here, there] = [build(), build()];
  try {
    const { id } = await new Tenants(database, systemClock, new RandomIds(systemClock)).ensure({
      key: 'bench',
      name: 'Bench',
    });
    const images = [];
    for (let seed = 0; seed < PICTURES; seed += 1) images.push(await addPhoto(artifacts, id, seed));
    // The first picture starts the process that makes them.
    const small = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    await ask(here, id, await stored(artifacts, id, small), 0);
    const made = await timeAll(here, id, images);
    const read = await timeAll(there, id, images);
    const remembered = await timeAll(here, id, images);
    return [
      { name: 'the original', unit: 'bytes', samples: images.map(({ sizeBytes }) => sizeBytes) },
      ...IMAGE_LADDER.flatMap((_rung, step) => [
        { name: `step ${step}: made`, unit: 'ms', samples: made[step].map(({ ms }) => ms) },
        {
          name: `step ${step}: read by another process`,
          unit: 'ms',
          samples: read[step].map(({ ms }) => ms),
        },
        { name: `step ${step}: remembered`, unit: 'ms', samples: remembered[step].map(({ ms }) => ms) },
        { name: `step ${step}`, unit: 'bytes', samples: made[step].map(({ bytes }) => bytes) },
      ]),
    ];
  } finally {
    here.close();
    there.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Milliseconds until the bytes of the variant are there, and how many they are: for each step, for each picture. */
async function timeAll(images, tenant, refs) {
  const steps = IMAGE_LADDER.map(() => []);
  for (const ref of refs)
    for (const [step, found] of steps.entries()) {
      const startedAt = performance.now();
      const bytes = await ask(images, tenant, ref, step);
      found.push({ ms: performance.now() - startedAt, bytes: bytes.byteLength });
    }
  return steps;
}

async function ask({ pipeline }, tenant, image, step) {
  const variant = await pipeline.variant(tenant, image, step, WALLS, new AbortController().signal);
  if ('unreadable' in variant) throw new Error(variant.unreadable);
  return pipeline.bytes(tenant, variant);
}

async function stored(artifacts, tenant, bytes) {
  return {
    ...(await artifacts.put(tenant, bytes)),
    artifactId: 'art_bench',
    title: 'A photo',
    mimeType: 'image/jpeg',
  };
}

async function addPhoto(artifacts, tenant, seed) {
  const gradient = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs>
    <linearGradient id="a" x2="1" y2="1"><stop offset="0" stop-color="hsl(${seed * 60} 50% 25%)"/>
    <stop offset="1" stop-color="hsl(${seed * 60 + 40} 60% 70%)"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#a)"/><circle cx="30%" cy="40%" r="30%" fill="#fff" opacity="0.4"/></svg>`;
  const noise = { type: 'gaussian', mean: 128, sigma: 34 };
  const bytes = await sharp({
    create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#888', noise },
  })
    .composite([{ input: Buffer.from(gradient), blend: 'soft-light' }])
    .jpeg({ quality: 92 })
    .toBuffer();
  return stored(artifacts, tenant, bytes);
}
