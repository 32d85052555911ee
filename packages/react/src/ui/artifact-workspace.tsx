import type { ArtifactView } from '@plinth/protocol';
import { type ReactNode, useId } from 'react';
import { artifactIcon } from './artifact-icon.js';
import { ArtifactViewer } from './artifact-viewer.js';
import { Icon } from './icons.js';
import type { Language } from './strings.js';
import { UiProvider, useUi } from './ui-context.js';

export type ArtifactWorkspaceProps = {
  /** Newest first, from `useArtifacts`. */
  artifacts: readonly ArtifactView[];
  /** Which one is open; see `useOpenArtifact`. */
  openId: string | null;
  onOpen: (artifactId: string) => void;
  language?: Language;
  /** Text for a screen reader (and a better name than a file's) for the picture of an artifact. */
  describe?: (artifact: ArtifactView) => string;
  /** What stands here before there is a product, in the host's own words. */
  empty?: ReactNode;
};

/** Where products open: a list of them, and the one that is open. */
export function ArtifactWorkspace({ language, ...workspace }: ArtifactWorkspaceProps) {
  return (
    <UiProvider language={language}>
      <Workspace {...workspace} />
    </UiProvider>
  );
}

function Workspace({ artifacts, openId, onOpen, describe, empty }: Omit<ArtifactWorkspaceProps, 'language'>) {
  const { strings } = useUi();
  const panelId = useId();
  const shown = artifacts.find((artifact) => artifact.id === openId) ?? null;
  return (
    <section className="plinth plinth-workspace" aria-label={strings.workspace}>
      {artifacts.length > 0 && (
        <ul className="plinth-workspace-list" aria-label={strings.artifacts}>
          {artifacts.map((artifact) => (
            <li key={artifact.id}>
              <button
                type="button"
                className="plinth-tab"
                aria-pressed={artifact.id === openId}
                aria-controls={panelId}
                onClick={() => onOpen(artifact.id)}
              >
                <Icon name={artifactIcon(artifact.kind)} />
                <span>{artifact.title}</span>
                {artifact.version > 1 && <span className="plinth-faint">v{artifact.version}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div id={panelId} className="plinth-workspace-panel">
        {shown === null ? (
          (empty ?? <EmptyWorkspace />)
        ) : (
          <ArtifactViewer key={shown.id} artifact={shown} description={describe?.(shown) ?? shown.title} />
        )}
      </div>
    </section>
  );
}

function EmptyWorkspace() {
  const { strings } = useUi();
  return (
    <div className="plinth-workspace-empty">
      <Icon name="image" />
      <h2>{strings.workspaceEmpty}</h2>
      <p>{strings.workspaceEmptyHint}</p>
    </div>
  );
}
