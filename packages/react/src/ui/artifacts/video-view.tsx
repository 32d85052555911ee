import { useUi } from '../ui-context.js';
import type { ArtifactViewProps } from './artifact-plugin.js';
import { DownloadInstead } from './download-instead.js';
import { useFailedUrl } from './use-failed-url.js';

/** A player for a product that is a film. */
export function VideoView({ artifact, url, title, onUrlFailed }: ArtifactViewProps) {
  const { strings } = useUi();
  const [failed, fail] = useFailedUrl(url, onUrlFailed);
  if (failed) return <DownloadInstead artifact={artifact} text={strings.mediaNotShown} role="alert" />;
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
      onError={fail}
    />
  );
}
