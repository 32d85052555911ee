import type { ArtifactView } from '@plinth/protocol';
import { useRef } from 'react';
import { usePlinth } from '../plinth-provider.js';
import { useArtifactContent } from '../use-artifact-content.js';
import { AudioView } from './audio-view.js';
import { Icon } from './icons.js';
import { ImageView } from './image-view.js';
import { useUi } from './ui-context.js';

type ArtifactViewerProps = { artifact: ArtifactView; description: string };

/** One product, large, and the way to save it. */
export function ArtifactViewer({ artifact, description }: ArtifactViewerProps) {
  const { strings } = useUi();
  const plinth = usePlinth();
  const { content, error, renew } = useArtifactContent(artifact.id, artifact.version);
  const renewed = useRef(false);

  // A signed URL lives for minutes; one that is refused is asked for again, but not for ever.
  const renewOnce = () => {
    if (renewed.current) return;
    renewed.current = true;
    renew();
  };
  const download = async () => {
    const fresh = await plinth.artifact(artifact.id).catch(() => null);
    if (fresh === null) return;
    const link = document.createElement('a');
    link.href = fresh.contentUrl;
    link.download = artifact.title;
    link.click();
  };
  const downloadButton = (
    <button
      type="button"
      className="plinth-button plinth-button--small"
      aria-label={strings.download}
      onClick={() => void download()}
    >
      <Icon name="download" />
      <span className="plinth-button-text">{strings.download}</span>
    </button>
  );

  if (error !== null) {
    return (
      <div className="plinth-workspace-empty" role="alert">
        <Icon name="alert" />
        <p>{strings.artifactFailed}</p>
        <button type="button" className="plinth-button" onClick={renew}>
          {strings.tryAgain}
        </button>
      </div>
    );
  }
  if (artifact.kind === 'image') {
    return (
      <ImageView
        url={content?.contentUrl ?? null}
        alt={description}
        onFailed={renewOnce}
        actions={downloadButton}
      />
    );
  }
  if (artifact.kind === 'audio') {
    return (
      <AudioView
        url={content?.contentUrl ?? null}
        title={description}
        onFailed={renewOnce}
        actions={downloadButton}
      />
    );
  }
  return (
    <div className="plinth-workspace-empty">
      <Icon name="file" />
      <p>{strings.noPreview}</p>
      {downloadButton}
    </div>
  );
}
