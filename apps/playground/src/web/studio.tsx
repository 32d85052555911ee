import { useArtifacts, useThread, useThreads } from '@plinth/react';
import { ArtifactWorkspace, type Language, PlinthChat, ThreadList, useOpenArtifact } from '@plinth/react/ui';
import { lazy, Suspense, useEffect, useState } from 'react';
import { EmptyState } from './empty-state.js';
import { useTheme } from './preferences.js';
import { sessionKey } from './session-key.js';
import { StudioHeader } from './studio-header.js';
import { useInspect } from './use-inspect.js';
import { useTexts } from './use-texts.js';
import { useThreadLocation } from './use-thread-location.js';
import { type View, ViewSwitch } from './view-switch.js';
import { WorkspaceEmpty } from './workspace-empty.js';

const AGENT = 'poster-studio';
const InspectorPanel = lazy(() => import('./inspector-panel.js'));

type StudioProps = { language: Language; onLanguage: (language: Language) => void };

/** The work place: the person's conversations on the left, the chat, and what comes of it beside it. */
export function Studio({ language, onLanguage }: StudioProps) {
  const texts = useTexts();
  const [theme, setTheme] = useTheme();
  const [threadId, go] = useThreadLocation();
  const thread = useThread(threadId);
  const { threads, refresh } = useThreads();
  const artifacts = useArtifacts(thread.session);
  const workspace = useOpenArtifact(artifacts, threadId, { changes: thread.state.changedArtifacts });
  const [listOpen, setListOpen] = useState(false);
  const [view, setView] = useState<View>('chat');
  const [inspecting, setInspecting] = useInspect();
  const { state } = thread;

  // The first message made the thread: from now on the address names it.
  useEffect(() => {
    if (threadId === null && state.threadId !== null) go(state.threadId, 'replace');
  }, [threadId, state.threadId, go]);
  // A run that starts or ends changes the titles and the order of the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is read again for these changes.
  useEffect(() => void refresh(), [state.threadId, state.activeMessageId, refresh]);
  useEffect(() => {
    document.title = texts.name;
  }, [texts]);

  const show = (next: string | null) => {
    go(next);
    setListOpen(false);
    setView('chat');
  };
  const openInWorkspace = (artifactId: string) => {
    workspace.open(artifactId);
    setView('workspace');
  };
  const started = state.messages.length > 0 || state.phase === 'loading';
  return (
    <div className="studio-frame">
      <div className="studio-place">
        <div
          className="plinth studio"
          data-view={view}
          data-list={listOpen ? 'open' : 'closed'}
          data-started={started}
        >
          <StudioHeader
            language={language}
            onLanguage={onLanguage}
            theme={theme}
            onTheme={setTheme}
            connection={state.connection}
            inspecting={inspecting}
            onInspect={setInspecting}
            listOpen={listOpen}
            onToggleList={() => setListOpen(!listOpen)}
          />
          <div className="studio-list">
            <ThreadList
              threads={threads}
              activeId={threadId}
              onSelect={show}
              onNew={() => show(null)}
              newLabel={texts.newWork}
            />
          </div>
          {listOpen && (
            <button
              type="button"
              className="studio-shade"
              aria-label={texts.closeList}
              onClick={() => setListOpen(false)}
            />
          )}
          {artifacts.length > 0 && <ViewSwitch view={view} onView={setView} />}
          <main className="studio-chat">
            <PlinthChat
              key={sessionKey(thread.session)}
              thread={thread}
              agent={AGENT}
              placeholder={started ? undefined : texts.placeholder}
              empty={(send) => <EmptyState send={send} />}
              onOpenArtifact={openInWorkspace}
            />
          </main>
          {started && (
            <div className="studio-workspace">
              <ArtifactWorkspace
                artifacts={artifacts}
                openId={workspace.openId}
                onOpen={workspace.open}
                describe={({ kind, title }) =>
                  kind === 'image' ? texts.posterAlt(title.replace(/\.\w+$/, '')) : title
                }
                empty={<WorkspaceEmpty />}
              />
            </div>
          )}
        </div>
      </div>
      {inspecting && (
        <aside className="studio-inspector">
          <Suspense>
            <InspectorPanel thread={thread.session} onClose={() => setInspecting(false)} />
          </Suspense>
        </aside>
      )}
    </div>
  );
}
