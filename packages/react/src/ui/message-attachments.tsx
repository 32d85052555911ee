import type { ChatAttachment } from '@plinth/client';
import { useArtifactContent } from '../use-artifact-content.js';
import { Icon } from './icons.js';
import { useUi } from './ui-context.js';

/** What came with a message of the person: pictures as such, everything else by its name. */
export function MessageAttachments({ attachments }: { attachments: readonly ChatAttachment[] }) {
  const { strings } = useUi();
  if (attachments.length === 0) return null;
  return (
    <ul className="plinth-message-attachments" aria-label={strings.attachments}>
      {attachments.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was sent with a message keeps its order.
        <li key={index}>
          {attachment.kind === 'image' && attachment.artifactId !== null ? (
            <Thumbnail artifactId={attachment.artifactId} title={attachment.title} />
          ) : (
            <NamedFile title={attachment.title} />
          )}
        </li>
      ))}
    </ul>
  );
}

function NamedFile({ title }: { title: string }) {
  return (
    <span className="plinth-chip">
      <Icon name="file" />
      <span dir="auto">{title}</span>
    </span>
  );
}

function Thumbnail({ artifactId, title }: { artifactId: string; title: string }) {
  const { content, error, renew } = useArtifactContent(artifactId);
  if (error !== null) return <NamedFile title={title} />;
  return content === null ? (
    <span className="plinth-thumbnail" aria-hidden="true" />
  ) : (
    <img className="plinth-thumbnail" src={content.contentUrl} alt={title} onError={renew} />
  );
}
