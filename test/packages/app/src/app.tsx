import { createPlinth, type Plinth } from '@plinth/client';
import type { JsonObject } from '@plinth/protocol';
import { type ComponentToolProps, PlinthProvider, useComponentTool, useThread } from '@plinth/react';
import { PlinthChat } from '@plinth/react/ui';

function Ask({ props, submit }: ComponentToolProps<{ question: string } & JsonObject, { answer: string }>) {
  return (
    <button type="button" onClick={() => submit({ answer: 'Because.' })}>
      {props.question}
    </button>
  );
}

function Chat() {
  useComponentTool('Ask', Ask);
  return <PlinthChat thread={useThread(null)} agent="tester" language="en" />;
}

export const makePlinth = (auth: () => string): Plinth => createPlinth({ baseUrl: '', auth });

export const App = ({ plinth }: { plinth: Plinth }) => (
  <PlinthProvider plinth={plinth}>
    <Chat />
  </PlinthProvider>
);
