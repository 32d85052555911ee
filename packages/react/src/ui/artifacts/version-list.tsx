import type { ArtifactVersionView, ArtifactView } from '@plinth/protocol';
import { useEffect, useState } from 'react';
import { usePlinth } from '../../plinth-provider.js';
import { formatMoment } from '../moments.js';
import { useUi } from '../ui-context.js';

type VersionListProps = {
  artifact: ArtifactView;
  shownVersion: number;
  onVersion: (version: ArtifactVersionView) => void;
};

type Loaded = { items: ArtifactVersionView[]; nextCursor: string | null };

const A_PAGE = 50;

/** The versions of an artifact, newest first: who made each, and when. */
export function VersionList({ artifact: { id, version }, shownVersion, onVersion }: VersionListProps) {
  const { strings, locale } = useUi();
  const plinth = usePlinth();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [failed, setFailed] = useState(false);
  const [cursor, setCursor] = useState<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is the first of a new list.
  useEffect(() => {
    let isCurrent = true;
    plinth.artifactVersions(id, { limit: A_PAGE, ...(cursor === null ? {} : { cursor }) }).then(
      (page) => {
        if (!isCurrent) return;
        setFailed(false);
        setLoaded((before) => ({
          items: cursor === null ? page.items : [...(before?.items ?? []), ...page.items],
          nextCursor: page.nextCursor,
        }));
      },
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [plinth, id, version, cursor]);

  if (failed) return <p className="plinth-artifact-note">{strings.versionsFailed}</p>;
  if (loaded === null) return <p className="plinth-artifact-note">{strings.artifactLoading}</p>;
  return (
    <ul className="plinth-versions" aria-label={strings.versions}>
      {loaded.items.map((item) => (
        <li key={item.version}>
          <button
            type="button"
            aria-current={item.version === shownVersion ? 'true' : undefined}
            onClick={() => onVersion(item)}
          >
            <span>{strings.versionNumber(item.version)}</span>
            <span>{strings.versionAuthor[item.author.kind]}</span>
            <time dateTime={item.createdAt}>{formatMoment(item.createdAt, locale)}</time>
          </button>
        </li>
      ))}
      {loaded.nextCursor !== null && (
        <li>
          <button type="button" onClick={() => setCursor(loaded.nextCursor)}>
            {strings.moreVersions}
          </button>
        </li>
      )}
    </ul>
  );
}
