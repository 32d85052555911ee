import { useSyncExternalStore } from 'react';
import { useUi } from '../ui-context.js';
import type { ArtifactViewProps } from './artifact-plugin.js';
import { DownloadInstead } from './download-instead.js';

const never = () => () => undefined;

/**
 * A PDF in the browser's own viewer. It runs apart from the page, is kept up to date by the browser, speaks the reader's
 * language, searches, prints, and is known to screen readers; a viewer of our own would be a megabyte of script that
 * parses a stranger's file inside the page. Where a browser has none, the file can be downloaded.
 */
export function PdfView({ artifact, url, title }: ArtifactViewProps) {
  const { strings } = useUi();
  const canShow = useSyncExternalStore(
    never,
    () => navigator.pdfViewerEnabled !== false,
    () => true,
  );
  if (!canShow) return <DownloadInstead artifact={artifact} text={strings.pdfNotShown} />;
  if (url === null)
    return <span className="plinth-artifact-loading" role="status" aria-label={strings.artifactLoading} />;
  return <iframe className="plinth-frame" src={url} title={title} />;
}
