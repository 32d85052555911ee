import { useSyncExternalStore } from 'react';
import { Icon } from '../icons.js';
import { useUi } from '../ui-context.js';
import type { ArtifactViewProps } from './artifact-plugin.js';

const never = () => () => undefined;

/**
 * A PDF in the browser's own viewer. It runs apart from the page, is kept up to date by the browser, speaks the reader's
 * language, searches, prints, and is known to screen readers; a viewer of our own would be a megabyte of script that
 * parses a stranger's file inside the page. Where a browser has none, the file can be downloaded.
 */
export function PdfView({ url, title }: ArtifactViewProps) {
  const { strings } = useUi();
  const canShow = useSyncExternalStore(
    never,
    () => navigator.pdfViewerEnabled !== false,
    () => true,
  );
  if (!canShow)
    return (
      <div className="plinth-workspace-empty">
        <Icon name="file" />
        <p>{strings.pdfNotShown}</p>
      </div>
    );
  if (url === null)
    return <span className="plinth-artifact-loading" role="status" aria-label={strings.artifactLoading} />;
  return <iframe className="plinth-frame" src={url} title={title} />;
}
