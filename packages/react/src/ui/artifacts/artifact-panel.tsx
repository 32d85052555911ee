import type { ArtifactVersionView, ArtifactView } from '@plinth/protocol';
import { lazy, type ReactNode, type RefObject, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useArtifactContent } from '../../use-artifact-content.js';
import { ErrorBoundary } from '../error-boundary.js';
import { useUi } from '../ui-context.js';
import { ArtifactBar } from './artifact-bar.js';
import { ArtifactMessage } from './artifact-message.js';
import { ArtifactNotices } from './artifact-notices.js';
import { type ArtifactPlugin, choosePlugin, isTextArtifact } from './artifact-plugin.js';
import { BUILTIN_PLUGINS } from './builtin-plugins.js';
import { conflictsLeft } from './conflict-marks.js';
import { DownloadInstead } from './download-instead.js';
import { MOST_TEXT_BYTES, useArtifactText } from './use-artifact-text.js';
import { useDocument } from './use-document.js';
import { useDownload } from './use-download.js';

const ConflictView = lazy(() => import('./conflict-view.js'));
const VersionComparison = lazy(() => import('./version-comparison.js'));

/** A new address of the same bytes is asked for this often at most. */
const RENEW_MS = 60_000;

type ArtifactPanelProps = {
  artifact: ArtifactView;
  title: string;
  plugins: readonly ArtifactPlugin[];
};

/** One product, large, with all that can be done to it. */
export function ArtifactPanel({ artifact, title, plugins }: ArtifactPanelProps) {
  const { strings } = useUi();
  const document = useDocument(artifact);
  const { draft, newest } = document;
  const [older, setOlder] = useState<ArtifactVersionView | null>(null);
  const [mode, setMode] = useState<'view' | 'edit' | 'resolve' | 'compare'>('view');
  const shown = older === null ? newest : atVersion(newest, older);
  const isText = isTextArtifact(shown);
  const fits = shown.sizeBytes <= MOST_TEXT_BYTES;
  const saved = useArtifactText(isText && fits ? shown : null, document.known);
  const address = useArtifactContent(isText && shown.kind !== 'html' ? null : shown.id, shown.version, {
    exact: true,
  });
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);
  const download = useDownload(shown);

  const place = useKeyboardAt(`${mode} ${older?.version}`);

  const plugin = choosePlugin(shown, plugins, BUILTIN_PLUGINS);
  const mine = older === null ? draft : null;
  const text = mine?.text ?? saved.text;
  const isBehind = draft !== null && draft.baseVersion < newest.version;
  const marked = mine === null ? 0 : conflictsLeft(mine.text) - conflictsLeft(saved.text ?? '');
  const canEdit = plugin?.edit !== undefined && isText && fits && older === null;
  const isEditing = mode === 'edit' && canEdit;
  const canSave = draft !== null && !isBehind && marked <= 0 && document.save.kind !== 'saving';
  const save = () => canSave && document.saveDraft();
  // A signed URL lives for minutes, and is asked for again when its time is over; bytes that no URL helps are not asked for in a loop.
  const renew = () => {
    const now = performance.now();
    if (now - renewedAt.current < RENEW_MS) return;
    renewedAt.current = now;
    address.renew();
  };

  const show = (version: ArtifactVersionView | null) => {
    setOlder(version?.version === newest.version ? null : version);
    setMode('view');
  };
  const common = {
    artifact: shown,
    title,
    url: address.content?.contentUrl ?? null,
    onUrlFailed: renew,
  };
  const body = (): ReactNode => {
    if (mode === 'resolve' && draft !== null)
      return (
        <ConflictView
          draft={draft}
          newest={newest}
          onMine={() => {
            document.rebase({ baseVersion: newest.version, text: draft.text });
            document.saveDraft();
            setMode('edit');
          }}
          onTheirs={() => {
            document.discard();
            setMode('view');
          }}
          onMerged={(merged) => {
            document.rebase({ baseVersion: newest.version, text: merged });
            setMode('edit');
          }}
        />
      );
    if (mode === 'compare' && older !== null)
      return <VersionComparison older={shown} newest={newest} onClose={() => setMode('view')} />;
    if (plugin === null) return <DownloadInstead artifact={shown} text={strings.noPreview} />;
    if (isText && !fits) return <DownloadInstead artifact={shown} text={strings.artifactTooLarge} />;
    if (isText ? saved.failed && mine === null : address.error !== null)
      return (
        <ArtifactMessage icon="alert" text={strings.artifactFailed} role="alert">
          <button type="button" className="plinth-button" onClick={isText ? saved.retry : address.renew}>
            {strings.tryAgain}
          </button>
        </ArtifactMessage>
      );
    if (isText && text === null) return <Loading />;
    const { edit: Edit, view: View } = plugin;
    if (isEditing && Edit !== undefined)
      return (
        <Edit
          {...common}
          text={text ?? ''}
          onChange={(next) => document.change(next, saved.text)}
          onSave={save}
        />
      );
    if (isText && text === '') return <ArtifactMessage icon="file" text={strings.artifactEmpty} />;
    return <View {...common} text={isText ? text : null} />;
  };

  return (
    <div className="plinth-artifact">
      <ArtifactBar
        artifact={newest}
        title={title}
        shownVersion={shown.version}
        mode={canEdit ? (isEditing ? 'edit' : 'view') : null}
        onMode={setMode}
        hasDraft={draft !== null}
        onSave={canSave ? save : null}
        onDiscard={document.discard}
        onVersion={show}
        onDownload={download}
      />
      <ArtifactNotices
        document={document}
        isBehind={isBehind && mode !== 'resolve'}
        conflicts={marked}
        older={mode === 'compare' ? null : older}
        canCompare={isText && fits}
        onResolve={() => {
          setOlder(null);
          setMode('resolve');
        }}
        onCompare={() => setMode('compare')}
        onShow={show}
      />
      <div ref={place} className="plinth-artifact-body" tabIndex={-1}>
        <ErrorBoundary
          // An editor stays, with its caret, when a version is saved below it.
          key={`${plugin?.id} ${mode} ${isEditing ? '' : shown.version}`}
          fallback={(retry) => (
            <ArtifactMessage icon="alert" text={strings.artifactFailed} role="alert">
              <button type="button" className="plinth-button" onClick={retry}>
                {strings.tryAgain}
              </button>
            </ArtifactMessage>
          )}
        >
          <Suspense fallback={<Loading />}>{body()}</Suspense>
        </ErrorBoundary>
      </div>
    </div>
  );
}

/** The button that changed what is shown may be gone with it: then the keyboard goes on at what is shown now. */
function useKeyboardAt(what: string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(what);
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (before.current !== what && isLost) place.current?.focus({ preventScroll: true });
    before.current = what;
  }, [what]);
  return place;
}

function atVersion(artifact: ArtifactView, version: ArtifactVersionView): ArtifactView {
  const { artifactId: _id, author: _author, createdAt: _at, ...fields } = version;
  return { ...artifact, ...fields };
}

function Loading() {
  const { strings } = useUi();
  return <span className="plinth-artifact-loading" role="status" aria-label={strings.artifactLoading} />;
}
