import { useRef, useState } from 'react';
import { useUi } from '../ui-context.js';
import type { ArtifactViewProps } from './artifact-plugin.js';

/**
 * A page that somebody else wrote. The frame has no origin and no scripts (`sandbox` without a word), and the server
 * sends the bytes with a policy that loads nothing, so it reaches neither this page, nor cookies, nor the network.
 * A link could still take another page into the frame: then what was opened here comes back.
 */
export function HtmlView({ url, title }: ArtifactViewProps) {
  const { strings } = useUi();
  const [times, setTimes] = useState(0);
  const loaded = useRef('');
  const key = `${url} ${times}`;
  const arrive = () => {
    if (loaded.current === key) setTimes(times + 1);
    loaded.current = key;
  };
  if (url === null)
    return <span className="plinth-artifact-loading" role="status" aria-label={strings.artifactLoading} />;
  return (
    <div className="plinth-html">
      <p className="plinth-artifact-note">{strings.htmlNote}</p>
      <iframe
        key={key}
        className="plinth-frame"
        src={url}
        title={title}
        sandbox=""
        referrerPolicy="no-referrer"
        onLoad={arrive}
      />
    </div>
  );
}
