/** The chat of a stranger who knows CopilotKit and AG-UI, and nothing of Plinth but the address and a token. */
import { HttpAgent } from '@ag-ui/client';
import {
  CopilotChat,
  CopilotKitProvider,
  useDefaultRenderTool,
  useFrontendTool,
  useInterrupt,
} from '@copilotkit/react-core/v2';
import '@copilotkit/react-core/v2/styles.css';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';

/** What is not known yet is asked for by a run without a new message: the server sends the thread, and what it waits for. */
class ThreadAgent extends HttpAgent {
  connect(input) {
    return this.run(input);
  }
}

const query = new URLSearchParams(window.location.search);
const agent = new ThreadAgent({
  url: '/v1/agents/tester/agui',
  headers: { authorization: `Bearer ${query.get('token')}` },
  threadId: query.get('thread'),
});

function Question({ interrupt, resolve }) {
  const { reason, message, metadata } = interrupt;
  if (reason === 'input_required')
    return (
      <section aria-label={message}>
        <p>{metadata.plinth.props.question}</p>
        <button type="button" onClick={() => resolve({ answer: 'Because.' })}>
          Because
        </button>
      </section>
    );
  return (
    <section aria-label={message}>
      <code>{JSON.stringify(metadata.plinth.arguments)}</code>{' '}
      <button type="button" onClick={() => resolve({ approved: true })}>
        Approve
      </button>{' '}
      <button type="button" onClick={() => resolve({ approved: false, reason: 'too much' })}>
        Decline
      </button>
    </section>
  );
}

function Chat() {
  // Runs in this page: the server knows its name, the page what it does.
  useFrontendTool({
    name: 'read',
    description: 'Reads the title of the page.',
    parameters: z.object({ what: z.string() }),
    handler: async ({ what }) => JSON.stringify({ what, title: document.title }),
  });
  useDefaultRenderTool();
  useInterrupt({ render: (asked) => <Question {...asked} /> });
  return <CopilotChat threadId={query.get('thread')} attachments={{ enabled: true }} />;
}

createRoot(document.getElementById('root')).render(
  <CopilotKitProvider selfManagedAgents={{ default: agent }}>
    <Chat />
  </CopilotKitProvider>,
);
