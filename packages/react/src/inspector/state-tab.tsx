import type { MessageView } from '@plinth/protocol';
import { CopyButton } from '../ui/copy-button.js';
import { useInspectorStrings } from './use-inspector-strings.js';

/** The state that the events of a message have been folded into. */
export function StateTab({ view }: { view: MessageView }) {
  const strings = useInspectorStrings();
  const text = JSON.stringify(view, null, 2);
  return (
    <>
      <div className="plinth-events-bar">
        <h3>{strings.stateLabel}</h3>
        <CopyButton text={() => text} />
      </div>
      <pre className="plinth-inspector-json" dir="ltr">
        {text}
      </pre>
    </>
  );
}
