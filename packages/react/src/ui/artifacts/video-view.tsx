import { useUi } from '../ui-context.js';
import type { ArtifactViewProps } from './artifact-plugin.js';

/** A player for a product that is a film. */
export function VideoView({ url, title, onUrlFailed }: ArtifactViewProps) {
  const { strings } = useUi();
  if (url === null)
    return <span className="plinth-artifact-loading" role="status" aria-label={strings.artifactLoading} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: what an agent made comes without captions; its title names it.
    <video
      className="plinth-video"
      src={url}
      controls
      playsInline
      preload="metadata"
      aria-label={title}
      onError={onUrlFailed}
    />
  );
}
