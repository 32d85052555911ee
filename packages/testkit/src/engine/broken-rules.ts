import { argumentsDigestOf, hasEnded, type RunRecord, type ToolInvocation } from '@plinth/engine';
import type { MessageEvent } from '@plinth/protocol';

const TERMINAL_CALL_EVENTS = ['tool.result', 'tool.failed', 'tool.declined'];

/** What a run's rows, its event log and its side effects tell together, as a list of broken rules. Empty is sound. */
export function brokenRules(
  record: RunRecord,
  events: readonly (MessageEvent & { seq: string })[],
  effects: readonly ToolInvocation[],
): string[] {
  return [
    ...brokenRows(record),
    ...brokenEvents(record, events),
    ...brokenText(events),
    ...brokenEffects(record, effects),
    ...brokenApprovals(record, effects),
  ];
}

function brokenRows({ run, calls, interrupts }: RunRecord): string[] {
  const broken: string[] = [];
  for (const call of calls) {
    const open = call.status === 'pending' || call.status === 'started';
    if (open !== (call.resultText === null))
      broken.push(`call ${call.id} is ${call.status} and its result is ${call.resultText}`);
    if (open && hasEnded(run.status)) broken.push(`the run ended with call ${call.id} ${call.status}`);
    const waits = interrupts.filter(
      (interrupt) => interrupt.callId === call.id && interrupt.state === 'open',
    );
    if (!open && waits.length > 0)
      broken.push(`call ${call.id} is ${call.status} and still waits at ${waits.map(({ id }) => id)}`);
    // A lost job may still call back while a person is asked about it.
    const kinds = new Set(waits.map(({ kind }) => kind));
    const isLostJob = waits.length === 2 && kinds.has('callback') && kinds.has('question');
    if (waits.length > 1 && !isLostJob) broken.push(`call ${call.id} waits twice`);
  }
  for (const { id, state, answeredAt, consumedAt } of interrupts) {
    if (hasEnded(run.status) && state === 'open') broken.push(`the run ended with interrupt ${id} open`);
    if (hasEnded(run.status) && answeredAt !== null && consumedAt === null)
      broken.push(`the answer of ${id} was never used`);
  }
  if (hasEnded(run.status) !== (run.reason !== null))
    broken.push(`the run is ${run.status} for ${run.reason}`);
  if (run.status === 'interrupted' && !interrupts.some(({ state }) => state === 'open'))
    broken.push('the run is parked and nothing can wake it');
  return broken;
}

function brokenEvents(
  { run, calls, interrupts }: RunRecord,
  events: readonly (MessageEvent & { seq: string })[],
): string[] {
  const broken: string[] = [];
  const count = (test: (event: MessageEvent) => boolean) => events.filter(test).length;
  const finished = count((event) => event.type === 'run.finished');
  if (finished !== (hasEnded(run.status) ? 1 : 0))
    broken.push(`${finished} terminal events, and the run is ${run.status}`);
  if (finished > 0 && events.at(-1)?.type !== 'run.finished')
    broken.push(`${events.at(-1)?.type} stands after the terminal event`);
  for (const call of calls) {
    const ends = count(
      (event) => TERMINAL_CALL_EVENTS.includes(event.type) && 'callId' in event && event.callId === call.id,
    );
    const wanted = call.resultText === null ? 0 : 1;
    if (ends !== wanted) broken.push(`call ${call.id} is ${call.status} with ${ends} ends`);
    if (count((event) => event.type === 'tool.started' && event.callId === call.id) === 0)
      broken.push(`call ${call.id} was never shown`);
  }
  for (const interrupt of interrupts) {
    const opened = count((event) => event.type === 'interrupt.opened' && event.interrupt.id === interrupt.id);
    const ends = count(
      (event) =>
        (event.type === 'interrupt.answered' || event.type === 'interrupt.closed') &&
        event.interruptId === interrupt.id,
    );
    if (opened !== 1) broken.push(`interrupt ${interrupt.id} opened ${opened} times`);
    if (ends !== (interrupt.state === 'open' ? 0 : 1))
      broken.push(`interrupt ${interrupt.id} is ${interrupt.state} with ${ends} ends`);
  }
  events.forEach(({ seq }, index) => {
    if (seq !== `1-${index + 1}`) broken.push(`entry ${index + 1} has the number ${seq}`);
  });
  let waiting = false;
  for (const event of events) {
    if (event.type === 'run.interrupted') {
      if (waiting) broken.push('the run was interrupted twice without being resumed');
      waiting = true;
    } else if (event.type === 'run.resumed') waiting = false;
    else if (waiting && (event.type === 'turn.started' || event.type === 'text.delta'))
      broken.push(`${event.type} of a run that was not resumed`);
  }
  return broken;
}

/** A reader who joins the pieces as they come sees each turn's text grow without a hole or a repeat. */
function brokenText(events: readonly MessageEvent[]): string[] {
  const broken: string[] = [];
  const shown = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'message.reset') {
      shown.delete(`text ${event.turn}`);
      shown.delete(`reasoning ${event.turn}`);
    } else if (event.type === 'text.delta' || event.type === 'reasoning.delta') {
      const key = `${event.type.split('.')[0]} ${event.turn}`;
      const before = shown.get(key) ?? '';
      if (event.from !== before.length) broken.push(`${key}: a piece from ${event.from} after "${before}"`);
      shown.set(key, before + event.text);
    } else if (event.type === 'text.done' || event.type === 'reasoning.done') {
      const key = `${event.type.split('.')[0]} ${event.turn}`;
      if ((shown.get(key) ?? '') !== event.text)
        broken.push(`${key}: streamed "${shown.get(key)}", done "${event.text}"`);
    }
  }
  return broken;
}

/** Once, and once more for each time that a person said it did not happen. */
function brokenEffects({ run, interrupts }: RunRecord, effects: readonly ToolInvocation[]): string[] {
  const mine = effects.filter(({ runId, tool }) => runId === run.id && !tool.idempotent);
  return [...new Set(mine.map(({ callId }) => callId))].flatMap((callId) => {
    const times = mine.filter((effect) => effect.callId === callId).length;
    const allowed = interrupts.filter(
      ({ answer, ...interrupt }) =>
        interrupt.callId === callId && answer?.type === 'resolve' && answer.outcome === 'did_not_happen',
    );
    if (times <= allowed.length + 1) return [];
    return [`the side effect of call ${callId} happened ${times} times, ${allowed.length + 1} were allowed`];
  });
}

/** What needs an approval runs with one only, and with exactly the arguments that it is about. */
function brokenApprovals(
  { run, calls, interrupts }: RunRecord,
  effects: readonly ToolInvocation[],
): string[] {
  return effects
    .filter(({ runId }) => runId === run.id)
    .flatMap(({ callId, tool, arguments: values }) => {
      const call = calls.find(({ id }) => id === callId);
      if (!call || (tool.requireConfirmation !== 'always' && call.permission?.effect !== 'ask')) return [];
      if (call.approval?.argumentsDigest !== argumentsDigestOf(values))
        return [`call ${callId} ran with arguments that nobody has approved`];
      if (call.approval.by === 'remembered') return [];
      const said = interrupts.find(({ id }) => id === call.approval?.interruptId)?.answer?.type;
      return said === 'approve' ? [] : [`call ${callId} ran on an approval that was ${said}`];
    });
}
