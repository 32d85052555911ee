import type { ArtifactView } from '@plinth/protocol';
import { type ReactNode, useId, useSyncExternalStore } from 'react';
import { Icon } from '../icons.js';
import type { Language } from '../strings.js';
import { UiProvider, useUi } from '../ui-context.js';
import { artifactIcon } from './artifact-icon.js';
import { ArtifactPanel } from './artifact-panel.js';
import type { ArtifactPlugin } from './artifact-plugin.js';
import { drafts } from './draft-store.js';

export type ArtifactWorkspaceProps = {
  /** Newest first, from `useArtifacts`. */
  artifacts: readonly ArtifactView[];
  /** Which one is open; see `useOpenArtifact`. */
  openId: string | null;
  onOpen: (artifactId: string) => void;
  language?: Language;
  /** Text for a screen reader (and a better name than a file's) for the picture of an artifact. */
  describe?: (artifact: ArtifactView) => string;
  /** The host's own views and editors, before the built-in ones. Pass the same list each time. */
  plugins?: readonly ArtifactPlugin[];
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

const NO_PLUGINS: readonly ArtifactPlugin[] = [];

function Workspace(props: Omit<ArtifactWorkspaceProps, 'language'>) {
  const { artifacts, openId, onOpen, describe, plugins = NO_PLUGINS, empty } = props;
  const { strings } = useUi();
  const panelId = useId();
  const unsaved = useUnsaved(artifacts);
  const announced = artifacts.find(({ open }) => open === 'notify');
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
                {unsaved.has(artifact.id) && (
                  <span className="plinth-unsaved" role="img" aria-label={strings.unsavedChanges} />
                )}
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
          <ArtifactPanel
            key={shown.id}
            artifact={shown}
            title={describe?.(shown) ?? shown.title}
            plugins={plugins}
          />
        )}
      </div>
      <p className="plinth-hidden" role="status">
        {announced !== undefined && strings.newArtifact(announced.title)}
      </p>
    </section>
  );
}

/** Ids of those with changes that are not saved, also of those that are not open. */
function useUnsaved(artifacts: readonly ArtifactView[]): ReadonlySet<string> {
  const read = () =>
    artifacts
      .filter(({ id }) => drafts.get(id) !== null)
      .map(({ id }) => id)
      .join(' ');
  const ids = useSyncExternalStore(drafts.subscribe, read, () => '');
  return new Set(ids.split(' '));
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
