import { useEffect, useRef } from 'react';
import { Icon } from '../icons.js';
import { useUi } from '../ui-context.js';
import type { ArtifactViewProps } from './artifact-plugin.js';
import { DownloadInstead } from './download-instead.js';
import { useFailedUrl } from './use-failed-url.js';

/** A player for a product that is a sound. It goes on at its place when its address is renewed meanwhile. */
export function AudioView({ artifact, url, title, onUrlFailed }: ArtifactViewProps) {
  const { strings } = useUi();
  const player = useRef<HTMLAudioElement>(null);
  const [failed, fail] = useFailedUrl(url, onUrlFailed);
  const place = useRef({ seconds: 0, isPlaying: false });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address loads anew, whatever it is.
  useEffect(() => {
    const { seconds, isPlaying } = place.current;
    if (player.current === null || seconds === 0) return;
    player.current.currentTime = seconds;
    // A browser may want a click first; then the person has to press play again.
    if (isPlaying) player.current.play().catch(() => {});
  }, [url]);

  if (failed) return <DownloadInstead artifact={artifact} text={strings.mediaNotShown} role="alert" />;
  return (
    <div className="plinth-audio">
      <Icon name="audio" />
      <h2 className="plinth-audio-title">{title}</h2>
      {url === null ? (
        <span className="plinth-audio-loading" role="status" aria-label={strings.loading} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: what an agent made comes without captions; its title names it.
        <audio
          ref={player}
          src={url}
          controls
          preload="metadata"
          aria-label={title}
          onTimeUpdate={({ currentTarget }) => {
            place.current = { seconds: currentTarget.currentTime, isPlaying: !currentTarget.paused };
          }}
          onPause={() => {
            place.current.isPlaying = false;
          }}
          onError={fail}
        />
      )}
    </div>
  );
}
