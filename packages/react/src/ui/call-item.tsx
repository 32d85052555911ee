import type { ThreadSession } from '@plinth/client';
import type { ArtifactView, InterruptView, ToolCallView } from '@plinth/protocol';
import { memo, type RefObject, useLayoutEffect, useRef } from 'react';
import { useInterrupt } from '../use-interrupt.js';
import { answerProblem } from './answer-problem.js';
import { ComponentSlot } from './component-slot.js';
import { ConfirmCard } from './confirm-card.js';
import { QuestionCard } from './question-card.js';
import { ToolCard } from './tool-card.js';
import { ToolQuestionCard } from './tool-question-card.js';
import { useUi } from './ui-context.js';

type CallItemProps = {
  call: ToolCallView;
  /** Those of the message. */
  interrupts: readonly InterruptView[];
  artifacts: readonly ArtifactView[];
  session: ThreadSession;
  onOpenArtifact: ((artifactId: string) => void) | undefined;
};

/** One tool call of a message, drawn by what it waits for: a component, an approval, an answer to a question, or a job (or nothing). */
export const CallItem = memo(function CallItem({
  call,
  interrupts: ofMessage,
  artifacts,
  session,
  onOpenArtifact,
}: CallItemProps) {
  const interrupts = ofMessage.filter((interrupt) => interrupt.callId === call.callId);
  // A call can wait more than once, an approval and then a callback: the last wait is where it stands.
  const last = interrupts.at(-1);
  const isAsked = last?.state === 'open' && (last.kind === 'confirmation' || last.kind === 'question');
  const card = { call, artifacts, onOpenArtifact, ref: useFocusAfter(isAsked) };
  if (last?.kind === 'component') return <ComponentSlot thread={session} interrupt={last} />;
  if (last?.kind === 'confirmation' && last.state === 'open')
    return <ConfirmCard thread={session} interrupt={last} />;
  if (last?.kind === 'question' && last.state === 'open')
    return <QuestionCard thread={session} interrupt={last} />;
  // Not the last one only: a job that a person was asked about goes on at its first wait.
  const waiting = interrupts.some(({ kind, state }) => kind === 'callback' && state === 'open');
  const asked = interrupts.findLast(({ kind }) => kind === 'confirmation' || kind === 'question');
  return (
    <>
      <ToolCard {...card} waiting={waiting} />
      {last?.kind === 'frontend' && last.state === 'open' && (
        <ToolQuestionCard thread={session} interrupt={last} />
      )}
      {asked !== undefined && <LostRace session={session} interrupt={asked} />}
    </>
  );
});

/** Tells the person whose approval came second who had answered before. */
function LostRace({ session, interrupt }: { session: ThreadSession; interrupt: InterruptView }) {
  const { strings, locale } = useUi();
  const { error } = useInterrupt(session, interrupt);
  if (error === null) return null;
  return (
    <p className="plinth-note" role="status">
      {answerProblem(error, strings, locale)}
    </p>
  );
}

/** The card of a question held the keyboard and is gone with the answer: it goes on at the element that comes instead. */
function useFocusAfter(isAsked: boolean): RefObject<HTMLElement | null> {
  const instead = useRef<HTMLElement>(null);
  const wasAsked = useRef(isAsked);
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (wasAsked.current && !isAsked && isLost) instead.current?.focus({ preventScroll: true });
    wasAsked.current = isAsked;
  }, [isAsked]);
  return instead;
}
