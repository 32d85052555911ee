import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImageRef } from '@plinth/engine';
import type { ArtifactId, TenantId } from '@plinth/protocol';
import { anId } from '@plinth/testkit';
import { LocalArtifactStore } from '../../src/artifacts/local-artifact-store.js';
import { DerivedKeys } from '../../src/auth/derived-keys.js';
import { ImageVariantRows } from '../../src/images/image-variant-rows.js';
import { PictureRenderer } from '../../src/images/picture-renderer.js';
import type { RendererResult } from '../../src/images/render-child.js';
import type { RenderJob } from '../../src/images/render-picture.js';
import { StoredImagePipeline } from '../../src/images/stored-image-pipeline.js';
import { VariantUrls } from '../../src/images/variant-urls.js';
import { openDatabase } from '../database-fixture.js';

/** Processes run what is compiled: Node does not read TypeScript. */
export const RENDER_PROCESS = new URL('../../dist/images/render-process.js', import.meta.url);
export const SECRET = 'k7Jp2vQx9ZrT4mWb8NcY6sLf3HdGa5Ue1RiOoPtXzVw';

/** Pipelines over one database and one store, as those of several processes are. */
export async function openPipelines() {
  const fixture = await openDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'plinth-images-'));
  const artifacts = new LocalArtifactStore(dataDir);
  const renderer = new PictureRenderer(RENDER_PROCESS);
  const rows = new ImageVariantRows(fixture.database);
  const urls = new VariantUrls(new DerivedKeys(SECRET), fixture.clock, 'https://plinth.test');
  const jobs: RenderJob[] = [];
  const render = (job: RenderJob): Promise<RendererResult> => {
    jobs.push(job);
    return renderer.render(job);
  };
  return {
    ...fixture,
    artifacts,
    rows,
    urls,
    /** What was really rendered, by all pipelines. */
    jobs,
    /** A pipeline that remembers nothing yet. */
    pipeline: (overrides: { render?: typeof render; keptBytes?: number } = {}) =>
      new StoredImagePipeline(
        { rows, artifacts, urls, clock: fixture.clock, renderer: { render: overrides.render ?? render } },
        overrides.keptBytes,
      ),
    /** Takes bytes away, as a broken disk does. */
    lose: (storageKey: string) => rm(join(dataDir, 'artifacts', storageKey)),
    async add(tenant: TenantId, bytes: Uint8Array): Promise<ImageRef> {
      const stored = await artifacts.put(tenant, bytes);
      const named = { artifactId: anId<ArtifactId>('artifact'), title: 'A picture', mimeType: 'image/jpeg' };
      return { ...stored, ...named };
    },
    async close() {
      renderer.close();
      await fixture.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
