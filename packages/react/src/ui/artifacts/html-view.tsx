import { useUi } from '../ui-context.js';
import type { ArtifactViewProps } from './artifact-plugin.js';

/**
 * A page that somebody else wrote. The frame has no origin and no scripts (`sandbox` without a word), and the server
 * sends the bytes with a policy that loads nothing, so it reaches neither this page, nor cookies, nor the network.
 */
export function HtmlView({ url, title }: ArtifactViewProps) {
  const { strings } = useUi();
  if (url === null)
    return <span className="plinth-artifact-loading" role="status" aria-label={strings.artifactLoading} />;
  return (
    <div className="plinth-html">
      <p className="plinth-artifact-note">{strings.htmlNote}</p>
      <iframe className="plinth-frame" src={url} title={title} sandbox="" referrerPolicy="no-referrer" />
    </div>
  );
}
