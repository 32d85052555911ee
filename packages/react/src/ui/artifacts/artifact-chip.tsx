import type { ArtifactView } from '@plinth/protocol';
import { Icon } from '../icons.js';
import { useUi } from '../ui-context.js';
import { artifactIcon } from './artifact-icon.js';

type ArtifactChipProps = { artifact: ArtifactView; onOpen: ((artifactId: string) => void) | undefined };

/** A product's name in the chat; opens it in the workspace. */
export function ArtifactChip({ artifact, onOpen }: ArtifactChipProps) {
  const { strings } = useUi();
  const content = (
    <>
      <Icon name={artifactIcon(artifact.kind)} />
      <span>{artifact.title}</span>
    </>
  );
  if (onOpen === undefined) return <span className="plinth-chip">{content}</span>;
  return (
    <button
      type="button"
      className="plinth-chip"
      aria-label={strings.openArtifact(artifact.title)}
      onClick={() => onOpen(artifact.id)}
    >
      {content}
    </button>
  );
}
