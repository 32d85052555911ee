import { selectRun, type ThreadState } from '@plinth/client';
import type { MessageView } from '@plinth/protocol';
import { useEffect, useState } from 'react';
import type { UiStrings } from './strings.js';
import { useUi } from './ui-context.js';

/**
 * Tells a screen reader what came of a run: once when it ends, never word by word. What a run waits for is told by the
 * composer's status.
 */
export function Announcer({ state }: { state: ThreadState }) {
  const { strings } = useUi();
  const run = selectRun(state);
  const [active, setActive] = useState<string | null>(null);
  const [text, setText] = useState('');
  const activeId = run?.active === true ? run.messageId : null;
  const ended = state.messages.find(({ id }) => id === active);
  const view = ended?.role === 'assistant' ? ended.view : null;

  useEffect(() => {
    if (activeId !== null) setText('');
    else if (view !== null) setText(announcementOf(view, strings));
    setActive(activeId);
  }, [activeId, view, strings]);
  return (
    <p className="plinth-unseen" role="status">
      {text}
    </p>
  );
}

/** The last text of the answer as it is read aloud: without the marks that only format it. */
export function announcementOf(view: MessageView, strings: UiStrings): string {
  if (view.reason !== null && view.reason !== 'final_answer') return strings.ended[view.reason];
  const last = view.parts.findLast((part) => part.type === 'text');
  const words =
    last?.type === 'text' ? last.text.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/[*_`#>|]+/g, '') : '';
  return `${strings.answered} ${words.trim()}`.trim();
}
