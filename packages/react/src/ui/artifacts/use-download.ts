import type { ArtifactView } from '@plinth/protocol';
import { usePlinth } from '../../plinth-provider.js';

/** Saves a version of an artifact on the person's disk. */
export function useDownload({ id, version, title }: ArtifactView): () => void {
  const plinth = usePlinth();
  return () => {
    plinth.artifact(id, { version }).then(
      ({ contentUrl }) => {
        const link = document.createElement('a');
        link.href = `${contentUrl}${contentUrl.includes('?') ? '&' : '?'}download=1`;
        link.download = title;
        link.click();
      },
      () => undefined,
    );
  };
}
