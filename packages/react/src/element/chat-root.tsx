import type { Plinth, PlinthClientError } from '@plinth/client';
import { type ComponentType, useEffect } from 'react';
import type { ComponentToolProps } from '../component-tool-props.js';
import { PlinthProvider } from '../plinth-provider.js';
import { type Labels, PlinthChat } from '../ui/index.js';
import { useComponentTool } from '../use-component-tool.js';
import { useThread } from '../use-thread.js';
import { ChatWithWorkspace } from './chat-with-workspace.js';
import type { LoadWorkspace } from './workspace-aside.js';

/** Components by the name that component tools use. */
export type ElementComponents = Readonly<Record<string, ComponentType<ComponentToolProps>>>;

export type ChatRootProps = {
  plinth: Plinth;
  agent: string;
  threadId: string | null;
  language: 'en' | 'zh' | undefined;
  labels: Labels | undefined;
  components: ElementComponents;
  /** Null: products are only named. */
  loadWorkspace: LoadWorkspace | null;
  onThread(threadId: string): void;
  onError(error: PlinthClientError): void;
};

/** What the element draws. */
export function ChatRoot({ plinth, components, ...chat }: ChatRootProps) {
  return (
    <PlinthProvider plinth={plinth}>
      {Object.entries(components).map(([name, component]) => (
        <Registration key={name} name={name} component={component} />
      ))}
      <Chat {...chat} plinth={plinth} />
    </PlinthProvider>
  );
}

function Registration({ name, component }: { name: string; component: ComponentType<ComponentToolProps> }) {
  useComponentTool(name, component);
  return null;
}

function Chat({
  plinth,
  loadWorkspace,
  agent,
  threadId,
  language,
  labels,
  onThread,
  onError,
}: Omit<ChatRootProps, 'components'>) {
  const thread = useThread(threadId);
  const { threadId: shown, error } = thread.state;
  useEffect(() => {
    if (shown !== null) onThread(shown);
  }, [shown, onThread]);
  useEffect(() => {
    if (error !== null) onError(error);
  }, [error, onError]);
  const chat = {
    thread,
    agent,
    ...(language === undefined ? {} : { language }),
    ...(labels === undefined ? {} : { labels }),
  };
  return loadWorkspace === null ? (
    <PlinthChat {...chat} />
  ) : (
    <ChatWithWorkspace plinth={plinth} loadWorkspace={loadWorkspace} {...chat} />
  );
}
