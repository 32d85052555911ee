/**
 * The page of a host that has one thread in three of its own components, under StrictMode, and a tool that its page runs.
 * What the tool does is kept in the browser's storage, which all tabs of a person share: how often it was begun, and
 * whether it may end.
 */
import '@plinth/react/ui/styles.css';
import { createPlinth } from '@plinth/client';
import type { InterruptView, JsonObject } from '@plinth/protocol';
import {
  type ComponentToolProps,
  PlinthProvider,
  useComponentTool,
  useInterrupt,
  useInterrupts,
  useMessages,
  useThread,
} from '@plinth/react';
import { PlinthChat } from '@plinth/react/ui';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

const page = new URLSearchParams(location.search);
const threads = page.getAll('thread');

const mayEnd = () =>
  new Promise<void>((resolve) => {
    if (localStorage.mayEnd) return resolve();
    addEventListener('storage', ({ key }) => key === 'mayEnd' && resolve());
  });

const plinth = createPlinth({
  baseUrl: '',
  auth: async ({ refresh }) => (await fetch(`/host/token?refresh=${refresh}`)).text(),
  frontendTools: {
    async editor({ file }) {
      localStorage.begun = Number(localStorage.begun ?? 0) + 1;
      document.title = 'Editing';
      await mayEnd();
      return { edited: file ?? null };
    },
  },
});

const isComponent = ({ kind }: InterruptView) => kind === 'component';

/** The host's component in the chat; its own ones beside it give the same answer. */
function YesNo({ interrupt, submit, status }: ComponentToolProps<JsonObject, { yes: boolean }>) {
  return (
    <button type="button" disabled={status !== 'open'} onClick={() => submit({ yes: true })}>
      Yes to {interrupt.tool}
    </button>
  );
}

function Answer({ threadId, interrupt }: { threadId: string; interrupt: InterruptView }) {
  const { submit, status } = useInterrupt(threadId, interrupt);
  return (
    <button type="button" disabled={status !== 'open'} onClick={() => submit({ yes: true })}>
      Yes to {interrupt.tool}
    </button>
  );
}

function Beside({ threadId }: { threadId: string }) {
  const [waiting] = useInterrupts(threadId).filter(isComponent);
  return <aside>{waiting && <Answer threadId={threadId} interrupt={waiting} />}</aside>;
}

function Above({ threadId }: { threadId: string }) {
  const messages = useMessages(threadId);
  const [waiting] = useInterrupts(threadId).filter(isComponent);
  return (
    <header>
      <output>{messages.map(({ id }) => id).join(' ')}</output>
      {waiting && <Answer threadId={threadId} interrupt={waiting} />}
    </header>
  );
}

function Chat({ threadId }: { threadId: string }) {
  useComponentTool('YesNo', YesNo);
  return <PlinthChat thread={useThread(threadId)} agent="tester" language="en" />;
}

/** The switch of threads, and three components that know of each other only by the thread's id. */
function Host() {
  const [threadId, setThreadId] = useState(threads[0] ?? '');
  return (
    <>
      <nav>
        {threads.map((id, index) => (
          <button key={id} type="button" onClick={() => setThreadId(id)}>
            Thread {index + 1}
          </button>
        ))}
      </nav>
      <main data-thread={threads.indexOf(threadId) + 1}>
        <Above threadId={threadId} />
        <Beside threadId={threadId} />
        <Chat threadId={threadId} />
      </main>
    </>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element.');
createRoot(root).render(
  <StrictMode>
    <PlinthProvider plinth={plinth}>
      <Host />
    </PlinthProvider>
  </StrictMode>,
);
