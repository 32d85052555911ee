import type { SentTool, TurnRequestView } from '@plinth/protocol';
import { useId } from 'react';
import { CopyButton } from '../ui/copy-button.js';
import { Icon } from '../ui/icons.js';
import { useAmounts } from '../ui/use-amounts.js';
import { Disclosure } from './disclosure.js';
import { SentMessageRow } from './sent-message-row.js';
import { toolsOfResults } from './tools-of-results.js';
import { useInspectorStrings } from './use-inspector-strings.js';

/** Messages at the end that are open at once: what the model was just asked, and what led to it. */
const OPEN_MESSAGES = 6;

/** One request, in the order in which a model reads it. */
export function ModelRequest({ request }: { request: TurnRequestView }) {
  const strings = useInspectorStrings();
  const { bytes, number } = useAmounts();
  const titleId = useId();
  const { messages, tools, settings } = request;
  const called = toolsOfResults(messages);
  const isOpen = (index: number) =>
    index >= messages.length - OPEN_MESSAGES && messages[index]?.what !== 'instructions';
  return (
    <article className="plinth-model" aria-labelledby={titleId}>
      <div className="plinth-events-bar">
        <h3 id={titleId}>
          {strings.turn(request.turn + 1)}{' '}
          <span className="plinth-faint">
            {strings.amounts(bytes(request.bytes), number(request.tokens))}
          </span>
        </h3>
        <CopyButton text={() => JSON.stringify(request, null, 2)} />
      </div>
      <Verdict request={request} />
      {!request.tokensExact && <p className="plinth-faint">{strings.aboutTokens}</p>}
      <Disclosure summary={<strong>{strings.settings}</strong>}>
        <Json value={settings} />
      </Disclosure>
      {tools.length > 0 && <Tools tools={tools} />}
      <h4>{strings.messagesTitle(messages.length)}</h4>
      <ol className="plinth-model-messages">
        {messages.map((message, index) => (
          <SentMessageRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a request that was sent does not change
            key={index}
            message={message}
            tool={called.get(index) ?? null}
            isOpen={isOpen(index)}
          />
        ))}
      </ol>
    </article>
  );
}

/** Whether what is shown is what was sent. */
function Verdict({ request: { verified, doubts } }: { request: TurnRequestView }) {
  const strings = useInspectorStrings();
  return (
    <div className="plinth-model-verdict" data-verified={verified}>
      <Icon name={verified ? 'check' : 'alert'} />
      <div>
        <p>{verified ? strings.verified : strings.unverified}</p>
        {doubts.length > 0 && (
          <ul>
            {doubts.map(({ code, detail }) => (
              <li key={code}>{strings.doubts[code] ?? detail}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function Tools({ tools }: { tools: readonly SentTool[] }) {
  const strings = useInspectorStrings();
  const { bytes, number } = useAmounts();
  const sum = (of: 'bytes' | 'tokens') => tools.reduce((total, tool) => total + tool[of], 0);
  const amounts = (of: { bytes: number; tokens: number }) =>
    strings.amounts(bytes(of.bytes), number(of.tokens));
  return (
    <Disclosure
      summary={
        <>
          <strong>{strings.toolsTitle(tools.length)}</strong>
          <span className="plinth-model-amounts">
            {amounts({ bytes: sum('bytes'), tokens: sum('tokens') })}
          </span>
        </>
      }
    >
      {tools.map((tool) => (
        <Disclosure
          key={tool.name}
          summary={
            <>
              <code>{tool.name}</code>
              <span className="plinth-model-amounts">{amounts(tool)}</span>
            </>
          }
        >
          <p dir="auto">{tool.description}</p>
          <Json value={tool.parameters} />
        </Disclosure>
      ))}
    </Disclosure>
  );
}

const Json = ({ value }: { value: unknown }) => <pre dir="ltr">{JSON.stringify(value, null, 2)}</pre>;
