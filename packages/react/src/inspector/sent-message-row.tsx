import type { SentMessage } from '@plinth/protocol';
import { useAmounts } from '../ui/use-amounts.js';
import { Disclosure } from './disclosure.js';
import { SentContent } from './sent-content.js';
import { useInspectorStrings } from './use-inspector-strings.js';

type SentMessageRowProps = { message: SentMessage; tool: string | null; isOpen: boolean };

/** One message: who says it, whether the chat shows it, what it weighs, and its content. */
export function SentMessageRow({ message: sent, tool, isOpen }: SentMessageRowProps) {
  const strings = useInspectorStrings();
  const { bytes, number } = useAmounts();
  const { what, shadow, reduced, message } = sent;
  const label = what === 'result' && tool !== null ? strings.resultOf(tool) : strings.whats[what];
  return (
    <li data-shadow={shadow}>
      <Disclosure
        isOpen={isOpen}
        summary={
          <>
            <strong>{String(message.role)}</strong>
            {what !== 'said' && <span>{label}</span>}
            {shadow && (
              <span className="plinth-model-mark" title={strings.shadowHint}>
                {strings.shadow}
              </span>
            )}
            {reduced !== null && <span className="plinth-model-mark">{strings.reduced[reduced]}</span>}
            <span className="plinth-model-amounts">
              {strings.amounts(bytes(sent.bytes), number(sent.tokens))}
            </span>
          </>
        }
      >
        <SentContent message={message} />
      </Disclosure>
    </li>
  );
}
