import type {
  FoldedEvent,
  GapEvent,
  MessageEvent,
  MessageView,
  RunStatus,
  SnapshotEvent,
} from '@plinth/protocol';
import { putArtifact } from './artifacts.js';
import { markAnswered, markClosed, markLeased, openInterrupt } from './interrupts.js';
import { addToolPart, appendDelta, finishAll, finishText, withdrawTurn } from './message-parts.js';
import { endCall, startCall, updateOpenCall } from './tool-calls.js';

/** What the reducer reads: an entry of the log, with or without its place in it. */
export type MessageEntry = MessageEvent | GapEvent | SnapshotEvent | FoldedEvent;

/** Whether a run of this status will never change again. */
export function isEnded(status: RunStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/**
 * The state of a message after one more entry of its log.
 *
 * What must stay true, so that a stream can be cut, repeated and joined anywhere:
 * - an entry that changes nothing returns the same object;
 * - text behind a hole is not guessed (`foldEntry` reports the hole);
 * - reading the log from its start over any later state leads to the same end, because ended calls, answered
 *   interrupts and ended runs are never left again;
 * - an entry of a type that is not known here is ignored.
 */
export function reduceMessage(view: MessageView, entry: MessageEntry): MessageView {
  if (entry.type === 'snapshot') return entry.message;
  if (isEnded(view.status)) return view;

  switch (entry.type) {
    case 'run.started':
    case 'run.resumed':
    case 'turn.started':
      return change(view, { status: 'running' });
    case 'run.interrupted':
      return change(view, { status: 'interrupted' });
    case 'run.finished': {
      const { status, reason, usage, error } = entry;
      return change(view, { status, reason, usage, error, parts: finishAll(view.parts) });
    }

    case 'text.delta':
      return change(view, { parts: appendDelta(view.parts, 'text', entry) });
    case 'text.done':
      return change(view, { parts: finishText(view.parts, 'text', entry.turn, entry.text) });
    case 'reasoning.delta':
      return change(view, { parts: appendDelta(view.parts, 'reasoning', entry) });
    case 'reasoning.done':
      return change(view, { parts: finishText(view.parts, 'reasoning', entry.turn, entry.text) });
    case 'message.reset':
      return change(view, { parts: withdrawTurn(view.parts, entry.turn) });

    case 'tool.started': {
      const parts = addToolPart(view.parts, entry.turn, entry.callId);
      return change(view, { parts, calls: startCall(view.calls, entry) });
    }
    case 'tool.progress': {
      const progress = { value: entry.progress, message: entry.message };
      return change(view, { calls: updateOpenCall(view.calls, entry.callId, { progress }) });
    }
    case 'tool.result': {
      const { summary, artifactIds, visibility } = entry;
      return change(view, {
        calls: endCall(view.calls, entry.callId, { status: 'succeeded', summary, artifactIds, visibility }),
      });
    }
    case 'tool.failed':
      return change(view, {
        calls: endCall(view.calls, entry.callId, { status: entry.status, error: entry.error }),
      });
    case 'tool.declined':
      return change(view, {
        calls: endCall(view.calls, entry.callId, { status: 'declined', summary: entry.reason }),
      });

    case 'interrupt.opened':
      return change(view, { interrupts: openInterrupt(view.interrupts, entry.interrupt) });
    case 'interrupt.leased':
      return change(view, { interrupts: markLeased(view.interrupts, entry.interruptId, entry.lease) });
    case 'interrupt.answered': {
      const interrupts = markAnswered(view.interrupts, entry.interruptId, entry);
      return change(view, { interrupts, status: statusAfterWait(view.status) });
    }
    case 'interrupt.closed': {
      const interrupts = markClosed(view.interrupts, entry.interruptId, entry.why);
      // An expired wait is an answer too; the other reasons come with the end of the run.
      const status = entry.why === 'expired' ? statusAfterWait(view.status) : view.status;
      return change(view, { interrupts, status });
    }

    case 'artifact.created':
      return change(view, { artifacts: putArtifact(view.artifacts, entry.artifact) });
    case 'usage':
      return change(view, { usage: entry.total });

    case 'notice':
    case 'gap':
    // The whole text is the next entry.
    case 'folded':
      return view;
    default:
      return ignoreUnknown(view, entry);
  }
}

/** An answer puts a parked run back in the queue; before it is parked, an answer changes nothing. */
function statusAfterWait(status: RunStatus): RunStatus {
  return status === 'interrupted' ? 'queued' : status;
}

/** A new view only when something in it is new: a listener compares by identity. */
function change(view: MessageView, changes: Partial<MessageView>): MessageView {
  const keys = Object.keys(changes) as (keyof MessageView)[];
  return keys.every((key) => changes[key] === view[key]) ? view : { ...view, ...changes };
}

/** Breaks the build when the protocol gains a type; at run time a newer server may send one. */
function ignoreUnknown(view: MessageView, _entry: never): MessageView {
  return view;
}
