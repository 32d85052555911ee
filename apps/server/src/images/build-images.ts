import type { ArtifactStore, Clock } from '@plinth/engine';
import type { DerivedKeys } from '../auth/derived-keys.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { OutboundClient } from '../platform/outbound/outbound-client.js';
import { OutboundPolicy } from '../platform/outbound/outbound-policy.js';
import { ImageImporter } from './image-importer.js';
import { ImageVariantRows } from './image-variant-rows.js';
import { PictureRenderer } from './picture-renderer.js';
import { StoredImagePipeline } from './stored-image-pipeline.js';
import { VariantUrls } from './variant-urls.js';

/** What makes pictures fit for models, and what brings them here. */
export function buildImages(ports: {
  database: TenantDatabase;
  artifacts: ArtifactStore;
  clock: Clock;
  secrets: DerivedKeys;
  publicUrl: string;
  /** Destinations beyond the public internet that pictures may be fetched from. */
  allow: readonly string[];
  /** The compiled `render-process.js`, where that is not beside this file. */
  renderProcess?: URL;
}) {
  const { database, artifacts, clock } = ports;
  const rows = new ImageVariantRows(database);
  const urls = new VariantUrls(ports.secrets, clock, ports.publicUrl);
  const renderer = new PictureRenderer(ports.renderProcess);
  // An end user or a model names these URLs: what a tenant opens for its own tools is not opened for them.
  const policy = OutboundPolicy.allowing(ports.allow);
  const outbound = new OutboundClient({ of: async () => policy }, clock);
  return {
    rows,
    urls,
    pipeline: new StoredImagePipeline({ rows, artifacts, renderer, urls, clock }),
    importer: new ImageImporter({ outbound, database, artifacts, clock }),
    close: () => renderer.close(),
  };
}
