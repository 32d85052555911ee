import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon, type IconName } from '../icons.js';
import { useUi } from '../ui-context.js';
import { useAmounts } from '../use-amounts.js';
import type { ArtifactViewProps } from './artifact-plugin.js';
import { DownloadInstead } from './download-instead.js';
import { useFailedUrl } from './use-failed-url.js';

const STEP = 1.25;
const SMALLEST = 0.1;
const LARGEST = 4;

/** An image that first fits its place and can be looked at closer. */
export function ImageView({ artifact, url, title: alt, onUrlFailed }: ArtifactViewProps) {
  const { strings } = useUi();
  const amounts = useAmounts();
  const [failed, fail] = useFailedUrl(url, onUrlFailed);
  const image = useRef<HTMLImageElement>(null);
  const box = useRef<HTMLDivElement>(null);
  // Which point of the image is in the middle, as shares of its width and height.
  const middle = useRef({ x: 0.5, y: 0.5 });
  const [naturalWidth, setNaturalWidth] = useState<number | null>(null);
  const [shownWidth, setShownWidth] = useState(0);
  // Null: fitted. Otherwise a factor of the image's own size.
  const [zoom, setZoom] = useState<number | null>(null);

  // A fitted image changes with its place, which may also be hidden at first.
  useEffect(() => {
    const shown = image.current;
    if (shown === null || naturalWidth === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setShownWidth(shown.clientWidth));
    observer.observe(shown);
    return () => observer.disconnect();
  }, [naturalWidth]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each zoom, the same point stays in the middle.
  useLayoutEffect(() => {
    const place = box.current;
    if (place === null) return;
    place.scrollLeft = middle.current.x * place.scrollWidth - place.clientWidth / 2;
    place.scrollTop = middle.current.y * place.scrollHeight - place.clientHeight / 2;
  }, [zoom]);

  if (failed) return <DownloadInstead artifact={artifact} text={strings.mediaNotShown} role="alert" />;
  const scale = zoom ?? (naturalWidth === null || shownWidth === 0 ? 1 : shownWidth / naturalWidth);
  const zoomTo = (factor: number | null) => {
    if (box.current !== null) middle.current = middleOf(box.current);
    setZoom(factor === null ? null : Math.min(LARGEST, Math.max(SMALLEST, factor)));
  };
  return (
    <div className="plinth-image">
      <div className="plinth-image-bar" role="toolbar" aria-label={alt}>
        <ZoomButton icon="minus" label={strings.zoomOut} onClick={() => zoomTo(scale / STEP)} />
        <span className="plinth-image-scale">{naturalWidth === null ? '' : amounts.wholeShare(scale)}</span>
        <ZoomButton icon="plus" label={strings.zoomIn} onClick={() => zoomTo(scale * STEP)} />
        <button
          type="button"
          className="plinth-button plinth-button--quiet plinth-button--small"
          aria-pressed={zoom === null}
          onClick={() => zoomTo(null)}
        >
          {strings.zoomFit}
        </button>
        <button
          type="button"
          className="plinth-button plinth-button--quiet plinth-button--small"
          aria-pressed={zoom === 1}
          onClick={() => zoomTo(1)}
        >
          {strings.zoomActual}
        </button>
      </div>
      <div
        ref={box}
        className={zoom === null ? 'plinth-image-box' : 'plinth-image-box plinth-image-box--zoomed'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        {url === null ? (
          <span className="plinth-image-loading" role="status" aria-label={strings.loading} />
        ) : (
          <img
            ref={image}
            src={url}
            alt={alt}
            style={zoom === null || naturalWidth === null ? undefined : { width: `${naturalWidth * zoom}px` }}
            onLoad={(event) => setNaturalWidth(event.currentTarget.naturalWidth)}
            onError={fail}
          />
        )}
      </div>
    </div>
  );
}

function middleOf(box: HTMLElement): { x: number; y: number } {
  return {
    x: (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
    y: (box.scrollTop + box.clientHeight / 2) / box.scrollHeight,
  };
}

function ZoomButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className="plinth-button plinth-button--quiet plinth-button--small"
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
