import type { ArtifactStore } from '@plinth/engine';
import type { Environment } from '../platform/config/environment.js';
import { LocalArtifactStore } from './local-artifact-store.js';

export interface OpenStore {
  store: ArtifactStore;
  /** @throws Error with a message for a person when bytes cannot be kept there */
  check(): Promise<void>;
  close(): void;
}

/** The store that the environment names: a folder, or a bucket. */
export async function openArtifactStore(environment: Environment): Promise<OpenStore> {
  if (environment.PLINTH_STORAGE === 'local') {
    const store = new LocalArtifactStore(environment.PLINTH_DATA_DIR);
    return { store, check: () => store.check(), close: () => {} };
  }
  // To load the client of AWS takes 0.1 s of CPU and more: only where it is used.
  const { S3ArtifactStore } = await import('./s3-artifact-store.js');
  const {
    PLINTH_S3_BUCKET: bucket,
    PLINTH_S3_REGION: region,
    PLINTH_S3_ENDPOINT: endpoint,
    PLINTH_S3_PREFIX: prefix,
    PLINTH_S3_ACCESS_KEY_ID: accessKeyId,
    PLINTH_S3_SECRET_ACCESS_KEY: secretAccessKey,
    PLINTH_S3_TIMEOUT_MS: timeoutMs,
  } = environment;
  const store = new S3ArtifactStore({
    bucket,
    region,
    endpoint,
    pathStyle: environment.PLINTH_S3_PATH_STYLE ?? endpoint !== undefined,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    credentials: accessKeyId === '' ? undefined : { accessKeyId, secretAccessKey },
    timeoutMs,
  });
  return { store, check: () => store.check(), close: () => store.close() };
}
