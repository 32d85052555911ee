import { isEnded, selectRun, type ThreadState } from '@plinth/client';
import type { MessageView } from '@plinth/protocol';
import { useEffect, useRef, useState } from 'react';
import { NOTHING_SPOKEN, type Spoken, spokenPieces } from './spoken-pieces.js';
import type { UiStrings } from './strings.js';
import { useUi } from './ui-context.js';

/** Pieces that stay in the page: each is read when it comes, and who looks for them finds the answer itself. */
const KEPT = 6;

type Piece = { key: number; text: string };
/** A page that shows another thread says nothing of this one any more. */
type Told = { threadId: string | null; pieces: readonly Piece[] };
/** What was read of the message that is being written: by turn, how far, and the text up to there. */
type Reading = { messageId: string; parts: Map<number, { spoken: Spoken; read: string }> };

/**
 * Reads an answer to a screen reader while it is written, sentence by sentence, and says when it is complete; nothing is said
 * twice. What a run waits for is told by the composer's status, what failed by the message itself.
 */
export function Announcer({ state }: { state: ThreadState }) {
  const { strings } = useUi();
  const { phase, threadId } = state;
  const run = selectRun(state);
  const [told, setTold] = useState<Told>({ threadId: null, pieces: [] });
  const reading = useRef<Reading | null>(null);
  const nextKey = useRef(0);
  const loaded = useRef<string | null | false>(false);
  const activeId = run?.active === true ? run.messageId : null;
  const message = state.messages.find(({ id }) => id === (activeId ?? reading.current?.messageId));
  const view = message?.role === 'assistant' ? message.view : null;

  useEffect(() => {
    if (view === null) return;
    const isNew = reading.current?.messageId !== view.messageId;
    if (isNew) reading.current = { messageId: view.messageId, parts: new Map() };
    const current = reading.current;
    if (current === null) return;
    const texts = newPieces(view, current, strings);
    // Of an answer that was under way before this page looked at it, only what comes from now on is read.
    const wasUnderWay = isNew && loaded.current !== threadId && loaded.current !== null;
    const said = wasUnderWay ? [] : texts;
    if (isEnded(view.status)) {
      reading.current = null;
      if (view.status !== 'failed') said.push(endingOf(view, strings));
    }
    if (said.length === 0 && !isNew) return;
    const added = said.map((text): Piece => {
      nextKey.current += 1;
      return { key: nextKey.current, text };
    });
    setTold((before) => ({
      threadId,
      pieces: isNew ? added : [...before.pieces.slice(-KEPT), ...added],
    }));
  }, [view, strings, threadId]);
  useEffect(() => {
    loaded.current = phase === 'new' || phase === 'ready' ? threadId : false;
  }, [phase, threadId]);
  return (
    // Not a log by its role: the conversation is that, and has no voice of its own.
    <div className="plinth-unseen" aria-live="polite" aria-atomic="false" aria-relevant="additions">
      {told.threadId === threadId && told.pieces.map(({ key, text }) => <p key={key}>{text}</p>)}
    </div>
  );
}

/** What has come to the texts of an answer since the last time. A text that was begun anew is read anew. */
function newPieces(view: MessageView, { parts }: Reading, strings: UiStrings): string[] {
  return view.parts.flatMap((part) => {
    if (part.type !== 'text') return [];
    const before = parts.get(part.turn);
    const from = before !== undefined && part.text.startsWith(before.read) ? before.spoken : NOTHING_SPOKEN;
    const isWhole = part.done || isEnded(view.status);
    const { pieces, spoken } = spokenPieces(part.text, from, { isWhole, code: strings.codeBlock });
    parts.set(part.turn, { spoken, read: part.text.slice(0, spoken.at) });
    return pieces;
  });
}

function endingOf({ reason }: MessageView, strings: UiStrings): string {
  return reason === null || reason === 'final_answer' ? strings.answered : strings.ended[reason];
}
