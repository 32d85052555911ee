import type { Plinth } from '@plinth/client';
import { useRef, useState } from 'react';
import { useOpenArtifact } from '../ui/artifacts/use-open-artifact.js';
import { PlinthChat, type PlinthChatProps } from '../ui/plinth-chat.js';
import { useArtifacts } from '../use-thread-parts.js';
import { type LoadWorkspace, WorkspaceAside } from './workspace-aside.js';

type ChatWithWorkspaceProps = PlinthChatProps & { plinth: Plinth; loadWorkspace: LoadWorkspace };

/** The chat, and what it has made beside it. How much room there is, the style sheet knows. */
export function ChatWithWorkspace({ plinth, loadWorkspace, ...chat }: ChatWithWorkspaceProps) {
  const { thread, language } = chat;
  const artifacts = useArtifacts(thread.session);
  const { threadId, changedArtifacts } = thread.state;
  const { openId, open } = useOpenArtifact(artifacts, threadId, { changes: changedArtifacts });
  /** What the person has asked for, or has closed. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [closed, setClosed] = useState<string | null>(null);
  const cameFrom = useRef<Element | null>(null);
  const choose = (artifactId: string) => {
    open(artifactId);
    setChosen(artifactId);
    setClosed(null);
  };
  const isShown = openId !== null && openId !== closed;
  const isChosen = isShown && chosen !== null;
  return (
    <div className="plinth-beside" data-open={isShown || undefined} data-chosen={isChosen || undefined}>
      <PlinthChat
        {...chat}
        onOpenArtifact={(artifactId) => {
          cameFrom.current = document.activeElement;
          choose(artifactId);
        }}
      />
      {isShown && (
        <WorkspaceAside
          plinth={plinth}
          load={loadWorkspace}
          artifacts={artifacts}
          openId={openId}
          onOpen={choose}
          takesFocus={isChosen}
          onClose={() => {
            setClosed(openId);
            setChosen(null);
            if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
          }}
          {...(language === undefined ? {} : { language })}
        />
      )}
    </div>
  );
}
