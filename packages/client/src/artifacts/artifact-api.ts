import type { ArtifactVersionView, ArtifactView, Page } from '@plinth/protocol';
import type { HttpClient } from '../http/http-client.js';
import { toQuery } from '../http/query.js';
import { isWholeUrl } from '../http/transport.js';

/** An artifact with a signed URL, usable for some minutes where no header can be set (`<img src>`). */
export type ArtifactContent = ArtifactView & { contentUrl: string };

export type SaveArtifactOptions = {
  /** The version that was changed. When it is no longer the newest, nothing is written: see `readArtifactConflict`. */
  version: number;
  /** A hint: the kind is detected from the bytes, and stays what it is. Default: the type of a Blob. */
  contentType?: string;
  signal?: AbortSignal;
};

/** The platform's products. Failures are `PlinthClientError`s. */
export type Artifacts = {
  /** Those of a thread, newest first. */
  artifacts(threadId: string, query?: { cursor?: string; limit?: number }): Promise<Page<ArtifactView>>;
  /** The newest version of an artifact, or an older one. */
  artifact(artifactId: string, options?: { version?: number }): Promise<ArtifactContent>;
  /** All versions of it, newest first: who made each, and when. */
  artifactVersions(
    artifactId: string,
    query?: { cursor?: string; limit?: number },
  ): Promise<Page<ArtifactVersionView>>;
  /** The bytes of the newest version, or of an older one. */
  artifactBytes(artifactId: string, options?: { version?: number; signal?: AbortSignal }): Promise<Blob>;
  /** Makes the next version. Rejects with `artifact_revision_conflict` when somebody else has made one meanwhile. */
  saveArtifact(
    artifactId: string,
    content: Blob | string,
    options: SaveArtifactOptions,
  ): Promise<ArtifactView>;
};

export function createArtifacts(http: HttpClient, baseUrl: string): Artifacts {
  const pathOf = (artifactId: string) => `/v1/artifacts/${encodeURIComponent(artifactId)}`;
  const read = (artifactId: string, version: number | undefined, signal?: AbortSignal) =>
    http.get<ArtifactContent>(pathOf(artifactId) + toQuery({ version }), { signal });

  return {
    artifacts: (threadId, query = {}) => http.get(`/v1/artifacts${toQuery({ threadId, ...query })}`),
    async artifact(artifactId, { version } = {}) {
      const artifact = await read(artifactId, version);
      const { contentUrl } = artifact;
      // A server behind a proxy may not know its public address and sends the path only.
      return isWholeUrl(contentUrl)
        ? artifact
        : { ...artifact, contentUrl: baseUrl.replace(/\/+$/, '') + contentUrl };
    },
    artifactVersions: (artifactId, query = {}) => http.get(`${pathOf(artifactId)}/versions${toQuery(query)}`),
    async artifactBytes(artifactId, { version, signal } = {}) {
      const { contentUrl } = await read(artifactId, version, signal);
      return http.getBytes(contentUrl, { signal });
    },
    saveArtifact(artifactId, content, { version, contentType, signal }) {
      const type = contentType ?? (typeof content === 'string' ? 'text/plain; charset=utf-8' : content.type);
      const headers = { 'if-match': `"${version}"`, 'content-type': type || 'application/octet-stream' };
      return http.sendBytes(`${pathOf(artifactId)}/content`, {
        method: 'PUT',
        body: content,
        headers,
        signal,
      });
    },
  };
}
