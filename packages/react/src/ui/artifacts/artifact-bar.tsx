import type { ArtifactVersionView, ArtifactView } from '@plinth/protocol';
import { useId, useRef, useState } from 'react';
import { Icon, type IconName } from '../icons.js';
import { useUi } from '../ui-context.js';
import { VersionList } from './version-list.js';

type ArtifactBarProps = {
  artifact: ArtifactView;
  title: string;
  shownVersion: number;
  /** Null: it cannot be edited here. */
  mode: 'view' | 'edit' | null;
  onMode: (mode: 'view' | 'edit') => void;
  hasDraft: boolean;
  /** Null: there is nothing to save, or it cannot be saved now. */
  onSave: (() => void) | null;
  onDiscard: () => void;
  onVersion: (version: ArtifactVersionView | null) => void;
  onDownload: () => void;
};

/** What can be done to the artifact that is open. */
export function ArtifactBar(props: ArtifactBarProps) {
  const { artifact, title, shownVersion, mode, onMode, hasDraft, onSave, onDiscard } = props;
  const { strings } = useUi();
  const [versionsOpen, setVersionsOpen] = useState(false);
  const versionsId = useId();
  const versionsButton = useRef<HTMLButtonElement>(null);
  const closeVersions = () => {
    versionsButton.current?.focus();
    setVersionsOpen(false);
  };
  return (
    <div className="plinth-artifact-head">
      <div className="plinth-artifact-bar" role="toolbar" aria-label={title}>
        {mode !== null && (
          <span className="plinth-artifact-mode">
            <BarButton
              label={strings.previewArtifact}
              pressed={mode === 'view'}
              onClick={() => onMode('view')}
            />
            <BarButton
              label={strings.editArtifact}
              pressed={mode === 'edit'}
              onClick={() => onMode('edit')}
            />
          </span>
        )}
        {hasDraft && <span className="plinth-artifact-state">{strings.unsavedChanges}</span>}
        <span className="plinth-artifact-actions">
          {hasDraft && <BarButton label={strings.discardChanges} icon="cross" short onClick={onDiscard} />}
          {mode !== null && (
            <button
              type="button"
              className="plinth-button plinth-button--small plinth-button--primary"
              disabled={onSave === null}
              onClick={() => onSave?.()}
            >
              {strings.saveArtifact}
            </button>
          )}
          <button
            ref={versionsButton}
            type="button"
            className="plinth-button plinth-button--quiet plinth-button--small"
            aria-expanded={versionsOpen}
            aria-controls={versionsId}
            aria-label={`${strings.versions}: v${shownVersion}`}
            onClick={() => setVersionsOpen(!versionsOpen)}
          >
            <Icon name="history" />
            <span>v{shownVersion}</span>
          </button>
          <BarButton label={strings.download} icon="download" short onClick={props.onDownload} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the button has opened; the button closes it too. */}
      <div
        id={versionsId}
        hidden={!versionsOpen}
        onKeyDown={(event) => {
          if (event.key === 'Escape') closeVersions();
        }}
      >
        {versionsOpen && (
          <VersionList
            artifact={artifact}
            shownVersion={shownVersion}
            onVersion={(version) => {
              props.onVersion(version);
              closeVersions();
            }}
          />
        )}
      </div>
    </div>
  );
}

type BarButtonProps = {
  label: string;
  icon?: IconName;
  /** In a narrow place the icon stands alone. */
  short?: boolean;
  pressed?: boolean;
  onClick: () => void;
};

function BarButton({ label, icon, short = false, pressed, onClick }: BarButtonProps) {
  return (
    <button
      type="button"
      className="plinth-button plinth-button--quiet plinth-button--small"
      aria-label={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      <span className={short ? 'plinth-button-text' : undefined}>{label}</span>
    </button>
  );
}
