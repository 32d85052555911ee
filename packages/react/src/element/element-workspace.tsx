import type { Plinth } from '@plinth/client';
import { PlinthProvider } from '../plinth-provider.js';
import { ArtifactWorkspace, type ArtifactWorkspaceProps } from '../ui/artifacts/artifact-workspace.js';

export type ElementWorkspaceProps = ArtifactWorkspaceProps & { plinth: Plinth };

/**
 * The workspace of `<plinth-chat>`, loaded with the first product. It has all that it needs in its props and shares no context
 * with the chat: on a CDN it comes from a file of its own, with its own copy of what both use.
 */
export function ElementWorkspace({ plinth, ...workspace }: ElementWorkspaceProps) {
  return (
    <PlinthProvider plinth={plinth}>
      <ArtifactWorkspace {...workspace} />
    </PlinthProvider>
  );
}
