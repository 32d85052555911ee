import type { ArtifactAuthor, ArtifactView } from '@plinth/protocol';
import { useEffect, useState } from 'react';
import { usePlinth } from '../../plinth-provider.js';

type Kind = ArtifactAuthor['kind'];

/** Who made the newest version of an artifact. Null while it is asked for, and when it could not be told. */
export function useVersionAuthor({ id, version }: Pick<ArtifactView, 'id' | 'version'>): Kind | null {
  const plinth = usePlinth();
  const [found, setFound] = useState<{ key: string; kind: Kind } | null>(null);
  const key = `${id} ${version}`;
  useEffect(() => {
    let isCurrent = true;
    plinth.artifactVersions(id, { limit: 1 }).then(
      ({ items: [newest] }) => {
        if (isCurrent && newest?.version === version) setFound({ key, kind: newest.author.kind });
      },
      // The notice stands without a name.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [plinth, id, version, key]);
  return found?.key === key ? found.kind : null;
}
