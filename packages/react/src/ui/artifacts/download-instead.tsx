import type { ArtifactView } from '@plinth/protocol';
import { Icon } from '../icons.js';
import { useUi } from '../ui-context.js';
import { useAmounts } from '../use-amounts.js';
import { ArtifactMessage } from './artifact-message.js';
import { useDownload } from './use-download.js';

type DownloadInsteadProps = { artifact: ArtifactView; text: string; role?: 'alert' };

/** A file that the page does not show: why, how large it is, and the way to have it all the same. */
export function DownloadInstead({ artifact, text, role }: DownloadInsteadProps) {
  const { strings } = useUi();
  const amounts = useAmounts();
  const download = useDownload(artifact);
  return (
    <ArtifactMessage icon={role === 'alert' ? 'alert' : 'file'} text={text} {...(role && { role })}>
      <button type="button" className="plinth-button" onClick={download}>
        <Icon name="download" />
        <span>
          {strings.download} <span className="plinth-faint">{amounts.bytes(artifact.sizeBytes)}</span>
        </span>
      </button>
    </ArtifactMessage>
  );
}
