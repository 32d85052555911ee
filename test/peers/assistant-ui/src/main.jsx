/** The chat of a stranger who knows assistant-ui and AG-UI, and nothing of Plinth but the address and a token. */
import { HttpAgent } from '@ag-ui/client';
import {
  AssistantRuntimeProvider,
  AuiConfig,
  ComposerPrimitive,
  ExportedMessageRepository,
  MessagePrimitive,
  SimpleImageAttachmentAdapter,
  ThreadPrimitive,
  Tools,
} from '@assistant-ui/react';
import {
  fromAgUiMessages,
  useAgUiInterrupts,
  useAgUiRuntime,
  useAgUiSubmitInterruptResponses,
} from '@assistant-ui/react-ag-ui';
import { createRoot } from 'react-dom/client';

const query = new URLSearchParams(window.location.search);
const connect = () =>
  new HttpAgent({
    url: '/v1/agents/tester/agui',
    headers: { authorization: `Bearer ${query.get('token')}` },
    threadId: query.get('thread'),
  });
const agent = connect();

/** A run without a new message: the server sends the thread, and what its run waits for. It also keeps what is said. */
const history = {
  async load() {
    const reader = connect();
    await reader.runAgent();
    const messages = [...reader.messages];
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    const interrupts = reader.pendingInterrupts;
    if (interrupts.length > 0)
      messages[last] = { ...messages[last], metadata: { custom: { agui: { interrupts } } } };
    return ExportedMessageRepository.fromArray(fromAgUiMessages(messages));
  },
  append: async () => {},
};
const adapters = { history, attachments: new SimpleImageAttachmentAdapter() };

/** Runs in this page: the server knows its name, the page what it does. */
const read = {
  type: 'frontend',
  description: 'Reads the title of the page.',
  parameters: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
  execute: async ({ what }) => ({ what, title: document.title }),
  renderText: { running: 'Reading', complete: 'Read' },
};

function Call({ toolName, argsText, result, approval, respondToApproval }) {
  const isAsked = approval !== undefined && approval.approved === undefined && !approval.resolution;
  return (
    <section className="call" aria-label={`Tool ${toolName}`}>
      <code>
        {toolName}({argsText})
      </code>
      {isAsked && (
        <p>
          <button type="button" onClick={() => respondToApproval({ approved: true })}>
            Approve
          </button>{' '}
          <button type="button" onClick={() => respondToApproval({ approved: false, reason: 'too much' })}>
            Decline
          </button>
        </p>
      )}
      {result !== undefined && <output> → {JSON.stringify(result)}</output>}
    </section>
  );
}

/** What is not a plain approval: the page draws it from what the interrupt says. */
function Questions() {
  const interrupts = useAgUiInterrupts().filter(({ reason }) => reason === 'input_required');
  const answer = useAgUiSubmitInterruptResponses();
  return interrupts.map(({ id, message, metadata }) => (
    <section key={id} className="call" aria-label={message}>
      <p>{metadata.plinth.props.question}</p>
      <button
        type="button"
        onClick={() => answer([{ interruptId: id, status: 'resolved', payload: { answer: 'Because.' } }])}
      >
        Because
      </button>
    </section>
  ));
}

const Text = ({ text }) => <p>{text}</p>;
const Picture = ({ attachment }) =>
  attachment.content?.map(({ image }) => image && <img key={image} src={image} alt={attachment.name} />);

const Sent = () => (
  <MessagePrimitive.Root className="message user">
    <MessagePrimitive.Attachments>
      {({ attachment }) => <Picture attachment={attachment} />}
    </MessagePrimitive.Attachments>
    <MessagePrimitive.Parts components={{ Text }} />
  </MessagePrimitive.Root>
);
const Said = () => (
  <MessagePrimitive.Root className="message assistant">
    <MessagePrimitive.Parts components={{ Text, tools: { Override: Call } }} />
    <MessagePrimitive.Error />
  </MessagePrimitive.Root>
);

function Chat() {
  const runtime = useAgUiRuntime({ agent, adapters });
  return (
    <AssistantRuntimeProvider runtime={runtime} config={AuiConfig({ tools: Tools({ toolkit: { read } }) })}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport>
          <ThreadPrimitive.Messages components={{ UserMessage: Sent, AssistantMessage: Said }} />
          <Questions />
        </ThreadPrimitive.Viewport>
        <ComposerPrimitive.Root className="composer">
          <ComposerPrimitive.Attachments>
            {({ attachment }) => <span>{attachment.name}</span>}
          </ComposerPrimitive.Attachments>
          <ComposerPrimitive.AddAttachment>Attach</ComposerPrimitive.AddAttachment>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.getElementById('root')).render(<Chat />);
