/** The story of one run, for whoever has to find out what went wrong with it. */

const shortTime = (iso) => (iso ? iso.slice(11, 23) : '-');

function eventLines({ entries = [], connections = [] } = {}, name) {
  return [
    ...connections.map(({ at, after, how }, index) => [
      at,
      `${name} connection ${index} after ${after}: ${how}`,
    ]),
    ...entries.map(({ t, connection, seq, type, ...rest }) => [
      t,
      `${name} ${connection} ${seq} ${type} ${detailOf(rest)}`,
    ]),
  ];
}

function detailOf({ callId, interruptId, interrupt, turn, from, text, status, reason, message, why }) {
  const facts = {
    callId: callId ?? interrupt?.callId,
    interruptId: interruptId ?? interrupt?.id,
    turn,
    from,
    status,
    reason,
    why,
  };
  const told = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
  const length = text === undefined ? [] : [`+${text.length}`];
  return [
    ...told.map(([key, value]) => `${key}=${value}`),
    ...length,
    ...(message?.status ? [`state=${message.status}`] : []),
  ].join(' ');
}

const attemptsOf = (attempts) =>
  attempts
    .map(({ at, status, code, failed }) => `${at}:${failed ?? status}${code ? ` ${code}` : ''}`)
    .join(', ');

function rowLines({ row, turns, calls, interrupts }) {
  if (!row) return ['no row'];
  return [
    `run ${row.id} ${row.status} ${row.reason} fence ${row.fence} epoch ${row.event_epoch}-${row.event_tail} lease ${row.lease_until} cancel ${shortTime(row.cancel_requested_at)}`,
    `  created ${shortTime(row.created_at)} queued ${shortTime(row.queued_at)} finished ${shortTime(row.finished_at)} error ${row.error}`,
    ...turns.map(
      ({ index, created_at, assistant_raw }) =>
        `  turn ${index} ${shortTime(created_at)} ${assistant_raw.slice(0, 100)}`,
    ),
    ...calls.map(
      (call) =>
        `  call ${call.id} t${call.turn_index}.${call.position} ${call.tool} ${call.status} fence ${call.started_fence} started ${shortTime(call.started_at)} accepted ${shortTime(call.accepted_at)} finished ${shortTime(call.finished_at)} ${call.result_text?.slice(0, 80)}`,
    ),
    ...interrupts.map(
      (wait) =>
        `  wait ${wait.id} of ${wait.call_id} ${wait.kind} ${wait.state} answered ${shortTime(wait.answered_at)} by ${wait.answer_request_id} consumed ${shortTime(wait.consumed_at)} ${wait.closed_why ?? ''}`,
    ),
  ];
}

/** Lines of text: what happened, in order, then the rows, then what the processes said. */
export function traceOf(run, { evidence, history, logBook }) {
  const { record, late } = run;
  const subjectPrefix = `r${record.number}.`;
  const [from, to] = [record.startedAt, record.endedAt ?? Number.POSITIVE_INFINITY];
  const happened = [
    [from, `person ${record.person} starts ${record.kind}`],
    ...(record.cancelledAt ? [[record.cancelledAt, 'cancelled by the person']] : []),
    ...eventLines(record.reader, 'reader'),
    ...eventLines(late ?? undefined, 'late'),
    ...record.given.map(({ interruptId, requestId, answer, attempts }) => [
      attempts[0]?.at ?? 0,
      `answer ${requestId} to ${interruptId} ${JSON.stringify(answer)} -> ${attemptsOf(attempts)}`,
    ]),
    ...evidence.effects
      .filter(({ subject }) => subject.startsWith(subjectPrefix))
      .map(({ t, subject, callId }) => [t, `dispatch of ${subject} (${callId})`]),
    ...evidence.callbacks
      .filter(({ subject }) => subject.startsWith(subjectPrefix))
      .map(({ subject, body, attempts }) => [
        attempts[0]?.at ?? 0,
        `callback ${subject} ${JSON.stringify(body).slice(0, 80)} -> ${attemptsOf(attempts)}`,
      ]),
    ...history
      .filter(({ t, until }) => (until ?? t) >= from && t <= to)
      .map(({ t, until, name, about }) => [t, `FAULT ${name} ${about ?? ''} until ${until}`]),
  ];
  const requests = evidence.requests
    .filter(({ run: about }) => about?.number === record.number)
    .map(
      ({ turn, status, digest, aborted, at }) =>
        `  model asked for turn ${turn} at ${at.toISOString().slice(11, 23)}: ${status}${aborted ? ' hung up' : ''} ${digest.slice(0, 8)}`,
    );
  return [
    ...happened.sort(([a], [b]) => a - b).map(([t, text]) => `${String(t).padStart(7)} ${text}`),
    ...rowLines(run),
    ...requests,
    ...logBook.about([record.runId, record.messageId]).map((line) => `  log ${line}`),
  ];
}
