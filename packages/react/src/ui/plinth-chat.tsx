import type { SendAttachment } from '@plinth/client';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { ThreadHandle } from '../use-thread.js';
import { Announcer } from './announcer.js';
import { Composer } from './composer.js';
import { composerStatus } from './composer-status.js';
import { MessageList } from './message-list.js';
import { UiProvider, type UiProviderProps, useTextAttributes, useUi } from './ui-context.js';
import { useStickToBottom } from './use-stick-to-bottom.js';

export type PlinthChatProps = Omit<UiProviderProps, 'children'> & {
  /** What `useThread` gives. */
  thread: ThreadHandle;
  /** Key of the agent that answers. */
  agent: string;
  placeholder?: string;
  /** Shown while the thread has no message; `send` sends one, for example a suggestion. */
  empty?: (send: (text: string) => void) => ReactNode;
  /** Opens a product that the person chose in the chat. Without it, products are only named. */
  onOpenArtifact?: (artifactId: string) => void;
};

type ChatProps = Omit<PlinthChatProps, keyof UiProviderProps>;

/** The conversation: messages, tool cards, the host's components, approvals, and the composer. */
export function PlinthChat({ language, locale, dir, strings, labels, ...chat }: PlinthChatProps) {
  return (
    <UiProvider language={language} locale={locale} dir={dir} strings={strings} labels={labels}>
      <Chat {...chat} />
    </UiProvider>
  );
}

function Chat({ thread, agent, placeholder, empty, onOpenArtifact }: ChatProps) {
  const { strings } = useUi();
  const text = useTextAttributes();
  const stick = useStickToBottom();
  const { state, send, cancel } = thread;
  const composer = useMemo(() => composerStatus(state, strings), [state, strings]);
  const { scrollToBottomSoon } = stick;

  // What the person sent stands at the end, also when they were reading further up.
  const newestUser = state.messages.findLast((message) => message.role === 'user')?.key;
  useEffect(() => {
    if (newestUser !== undefined) return scrollToBottomSoon();
  }, [newestUser, scrollToBottomSoon]);

  const sendText = (text: string, attachments: readonly SendAttachment[] = []) => {
    // A message that fails stays in the list with its error; see `delivery`.
    send({ text, agent, attachments }).catch(() => undefined);
  };
  return (
    <div className="plinth plinth-chat" {...text}>
      <MessageList
        thread={thread}
        agent={agent}
        stick={stick}
        empty={empty?.((text) => sendText(text))}
        onOpenArtifact={onOpenArtifact}
      />
      <Announcer state={state} />
      <Composer
        status={composer.text}
        canSend={composer.canSend}
        canStop={composer.canStop}
        placeholder={placeholder}
        onSend={sendText}
        onStop={() => cancel().catch(() => undefined)}
      />
    </div>
  );
}
