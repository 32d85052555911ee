import type { ChatMessage, ThreadState } from '@plinth/client';
import type { MessageView } from '@plinth/protocol';
import { useId, useState } from 'react';
import { Icon } from '../ui/icons.js';
import type { Language } from '../ui/strings.js';
import { UiProvider, useTextAttributes } from '../ui/ui-context.js';
import { type ThreadRef, useThreadSession, useThreadState } from '../use-thread-session.js';
import { ContextTab } from './context-tab.js';
import { EventsTab } from './events-tab.js';
import type { TabName } from './inspector-strings.js';
import { ModelTab } from './model-tab.js';
import { StateTab } from './state-tab.js';
import { TabList } from './tab-list.js';
import { useInspectorStrings } from './use-inspector-strings.js';

export type PlinthInspectorProps = {
  thread: ThreadRef;
  language?: Language;
  /** Shows a button that closes it. */
  onClose?: () => void;
};

/**
 * For whoever looks after an agent: how the requests of a run were made and what they were (the session token needs the scope
 * `debug`), the events of its message, and its state. Follows the newest run of the thread until another one is chosen.
 */
export function PlinthInspector({ language, ...panel }: PlinthInspectorProps) {
  return (
    <UiProvider language={language}>
      <InspectorPanel {...panel} />
    </UiProvider>
  );
}

function InspectorPanel({ thread, onClose }: Omit<PlinthInspectorProps, 'language'>) {
  const strings = useInspectorStrings();
  const texts = useTextAttributes();
  const id = useId();
  const runs = runsOf(useThreadState(useThreadSession(thread)));
  const [chosen, setChosen] = useState<string | null>(null);
  const [tab, setTab] = useState<TabName>('context');
  const picked = runs.find(({ view }) => view.runId === chosen);
  const view = (picked ?? runs.at(-1))?.view;
  return (
    <section className="plinth plinth-inspector" aria-label={strings.inspector} {...texts}>
      <header className="plinth-inspector-header">
        <h2>{strings.inspector}</h2>
        {onClose !== undefined && (
          <button
            type="button"
            className="plinth-button plinth-button--quiet plinth-button--small"
            aria-label={strings.close}
            onClick={onClose}
          >
            <Icon name="cross" />
          </button>
        )}
        {runs.length > 0 && (
          <div className="plinth-field plinth-inspector-run">
            <label htmlFor={`${id}-run`}>{strings.run}</label>
            <select
              id={`${id}-run`}
              value={picked?.view.runId ?? ''}
              onChange={(event) => setChosen(event.target.value === '' ? null : event.target.value)}
            >
              <option value="">{strings.newestRun}</option>
              {runs.map((run, index) => (
                <option key={run.view.runId} value={run.view.runId}>
                  {strings.runLabel(index + 1, run.asked, run.view.status)}
                </option>
              ))}
            </select>
          </div>
        )}
      </header>
      <TabList id={id} open={tab} onOpen={setTab} />
      <div
        className="plinth-inspector-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
      >
        {view === undefined ? (
          <p className="plinth-inspector-note">{strings.noRun}</p>
        ) : (
          <OpenTab key={view.runId} tab={tab} view={view} />
        )}
      </div>
    </section>
  );
}

function OpenTab({ tab, view }: { tab: TabName; view: MessageView }) {
  switch (tab) {
    case 'context':
      return <ContextTab view={view} />;
    case 'model':
      return <ModelTab view={view} />;
    case 'events':
      return <EventsTab messageId={view.messageId} />;
    case 'state':
      return <StateTab view={view} />;
  }
}

type Run = { view: MessageView; asked: string };

/** Characters of a question that name its run. */
const NAME_CHARACTERS = 40;

/** The runs of a thread, oldest first, each with what was asked. */
function runsOf({ messages }: ThreadState): Run[] {
  const textOf = (message: ChatMessage | undefined) => (message?.role === 'user' ? message.text : '');
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const asked = textOf(messages.find(({ id }) => id === message.parentId));
    const name =
      [...asked].length > NAME_CHARACTERS ? `${[...asked].slice(0, NAME_CHARACTERS).join('')}…` : asked;
    return [{ view: message.view, asked: name }];
  });
}
