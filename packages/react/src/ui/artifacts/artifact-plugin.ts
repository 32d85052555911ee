import type { ArtifactKind, ArtifactView } from '@plinth/protocol';
import type { ComponentType } from 'react';

export type ArtifactViewProps = {
  /** In the version that is shown. */
  artifact: ArtifactView;
  /** A name for people and screen readers. */
  title: string;
  /** Opens the bytes without a header, for some minutes; null while it is asked for, and for texts. */
  url: string | null;
  /** The text of a text artifact, with the changes that are not saved yet; null for everything else. */
  text: string | null;
  /** The address is refused, or its time is over: a new one is wanted. */
  onUrlFailed: () => void;
};

export type ArtifactEditProps = ArtifactViewProps & {
  text: string;
  onChange: (text: string) => void;
  /** Saves what is there: for the editor's own shortcut. */
  onSave: () => void;
};

/**
 * Shows artifacts of some kinds, and edits those that are texts. Versions, saving, conflicts and unsaved changes are the
 * workspace's. Give lazy components (`React.lazy`): a page loads a plugin when the first artifact needs it.
 */
export type ArtifactPlugin = {
  /** Unique among the plugins; the same id as a built-in one replaces it. */
  id: string;
  accepts: readonly ArtifactKind[] | ((artifact: ArtifactView) => boolean);
  /** The highest wins, and of equals the one that was given first. Default 0; built-in ones have -10 or less. */
  priority?: number;
  view: ComponentType<ArtifactViewProps>;
  edit?: ComponentType<ArtifactEditProps>;
};

/** The plugin for an artifact; null when none takes it. A plugin whose `accepts` throws does not take it. */
export function choosePlugin(
  artifact: ArtifactView,
  own: readonly ArtifactPlugin[],
  builtin: readonly ArtifactPlugin[],
): ArtifactPlugin | null {
  const replaced = new Set(own.map(({ id }) => id));
  const all = [...own, ...builtin.filter(({ id }) => !replaced.has(id))];
  let best: ArtifactPlugin | null = null;
  for (const plugin of all) {
    if (best !== null && (plugin.priority ?? 0) <= (best.priority ?? 0)) continue;
    if (accepts(plugin, artifact)) best = plugin;
  }
  return best;
}

function accepts({ id, accepts: wanted }: ArtifactPlugin, artifact: ArtifactView): boolean {
  if (typeof wanted !== 'function') return wanted.includes(artifact.kind);
  try {
    return wanted(artifact);
  } catch (error) {
    // As an error of the page that nobody caught; a server has no such thing.
    globalThis.reportError?.(
      new Error(`The artifact plugin ${id} failed to look at an artifact.`, { cause: error }),
    );
    return false;
  }
}

const TEXT_KINDS: ReadonlySet<ArtifactKind> = new Set(['code', 'document', 'table', 'html']);

/** Whether the platform keeps it as a text, which people and models edit. */
export function isTextArtifact({ kind, mimeType }: Pick<ArtifactView, 'kind' | 'mimeType'>): boolean {
  return TEXT_KINDS.has(kind) && /^(text\/|application\/(json|xml)$)/.test(mimeType);
}
