import { describe, expect, it } from 'vitest';
import { prove, RULES } from './rules.mjs';

const ID = 'run_1';
const NUMBER = 7;
const FORM = 'int_form';
const GATE = 'int_gate';
const SLOT = 'int_slot';
const APPROVED = { subject: 'r7.t0.c1', amount: 1 };
const PICTURE = { subject: 'r7.t0.c2' };

const call = (id, tool, values, result) => ({
  id,
  tool,
  arguments_raw: JSON.stringify(values),
  status: 'succeeded',
  result_text: JSON.stringify(result),
  approved_at: tool === 'charge' ? 'now' : null,
});
const wait = (id, kind, callId, requestId, answer) => ({
  id,
  kind,
  call_id: callId,
  state: 'answered',
  answer: JSON.stringify(answer),
  answer_request_id: requestId,
  consumed_at: 'now',
});
const given = (interruptId, requestId, answer) => ({
  interruptId,
  requestId,
  answer,
  outcome: { status: 200, body: { answeredAt: 'then' } },
});

const DONE = { ok: true, result: { done: true }, files: [] };
const SUBMIT = { type: 'submit', value: { value: 'tea' } };
const VIEW = { status: 'completed', parts: ['all'] };

function aReader() {
  const types = ['run.started', 'tool.result', 'tool.result', 'tool.result', 'run.finished'];
  const entries = types.map((type, index) => ({
    connection: 0,
    seq: `1-${index + 1}`,
    type,
    ...(type === 'tool.result' && { callId: ['form', 'charge', 'lookup'][index - 1] }),
  }));
  return {
    hasEnded: true,
    view: structuredClone(VIEW),
    connections: [{ after: null, how: 'closed' }],
    entries,
  };
}

/** What is gathered of one run in which nothing went wrong: a form, an approval, and a job that called back. */
function evidenceOf() {
  const row = {
    id: ID,
    status: 'completed',
    reason: 'final_answer',
    error: null,
    idempotency_key: 'chaos-7',
  };
  const effect = (tool, callId, values) => ({
    tool,
    callId,
    subject: values.subject,
    arguments: values,
    idempotencyKey: `key of ${callId}`,
  });
  return {
    runs: [
      {
        record: {
          number: NUMBER,
          kind: 'parallel',
          runId: ID,
          problems: [],
          reader: aReader(),
          given: [given(FORM, 'a', SUBMIT), given(GATE, 'b', { type: 'approve' })],
        },
        row,
        turns: [],
        calls: [
          call('form', 'form', { subject: 'r7.t0.c0' }, SUBMIT.value),
          call('charge', 'charge', APPROVED, { charged: true }),
          call('lookup', 'lookup', PICTURE, { result: DONE.result }),
        ],
        interrupts: [
          wait(FORM, 'component', 'form', 'a', SUBMIT),
          wait(GATE, 'confirmation', 'charge', 'b', { type: 'approve' }),
          wait(SLOT, 'callback', 'lookup', 'c', { type: 'callback', outcome: DONE }),
        ],
        artifacts: [{ call_id: 'lookup' }],
        late: aReader(),
        got: structuredClone(VIEW),
      },
    ],
    rows: [row],
    outbox: [],
    requests: [
      { run: { number: NUMBER }, turn: 0, status: 200, digest: 'x' },
      { run: { number: NUMBER }, turn: 0, status: 200, digest: 'x' },
    ],
    effects: [effect('charge', 'charge', APPROVED), effect('lookup', 'lookup', PICTURE)],
    callbacks: [{ callId: 'lookup', body: { status: 'succeeded' }, outcome: { status: 200 } }],
    deaths: [],
  };
}

/** What goes wrong, by the rule that has to say so. */
const HARMS = [
  ['runs lost', 'a run that still works', ({ runs: [run] }) => Object.assign(run.row, { status: 'running' })],
  [
    'runs lost',
    'an accepted run that is not in the ledger',
    ({ runs: [run], rows }) => {
      Object.assign(run, { row: null, calls: [], interrupts: [], artifacts: [], late: null, got: null });
      Object.assign(run.record, { given: [] });
      rows.length = 0;
    },
  ],
  [
    'runs lost',
    'an end that nobody told its reader',
    ({ runs: [{ record }] }) => Object.assign(record.reader, { hasEnded: false }),
  ],
  ['runs started twice', 'a run that nobody knows', ({ rows }) => rows.push({ id: 'run_2' })],
  [
    'runs given up by the platform',
    'an internal error',
    ({ runs: [run] }) => Object.assign(run.row, { reason: 'internal_error' }),
  ],
  [
    'ends told not exactly once',
    'a second end',
    ({ runs: [{ late }] }) => late.entries.push({ connection: 0, seq: '1-6', type: 'run.finished' }),
  ],
  [
    'non-idempotent tools dispatched twice',
    'a second charge',
    ({ effects }) => effects.push({ ...effects[0], idempotencyKey: 'another' }),
  ],
  [
    'idempotent tools repeated with another key',
    'a second key',
    ({ effects }) => effects.push({ ...effects[1], idempotencyKey: 'another' }),
  ],
  [
    'gated tools run without their approval',
    'other arguments than those approved',
    ({ effects: [charge] }) => Object.assign(charge, { arguments: { ...APPROVED, amount: 1_000 } }),
  ],
  [
    'forms asked twice',
    'a second interrupt for a call',
    ({ runs: [run] }) => run.interrupts.push({ ...run.interrupts[0], id: 'int_again', state: 'closed' }),
  ],
  [
    'forms asked twice',
    'a second call for what was asked',
    ({ runs: [run] }) => {
      run.calls.push({ ...run.calls[0], id: 'form again' });
      const { entries } = run.late;
      entries.splice(4, 0, { connection: 0, seq: '1-5', type: 'tool.result', callId: 'form again' });
      entries[5].seq = '1-6';
    },
  ],
  [
    'calls without exactly one result',
    'a call that is still pending',
    ({ runs: [run] }) => run.calls.push({ ...call('new', 'book', {}, 0), status: 'pending' }),
  ],
  [
    'answers of people lost or taken twice',
    'an accepted answer that is not kept',
    ({ runs: [run] }) => Object.assign(run.interrupts[0], { answer_request_id: 'z' }),
  ],
  [
    'callbacks lost or taken twice',
    'two results of one job',
    ({ callbacks }) => callbacks.push({ ...callbacks[0], body: { status: 'failed' } }),
  ],
  [
    'results other than the answer',
    'another value than was submitted',
    ({ runs: [run] }) => Object.assign(run.calls[0], { result_text: '{"value":"coffee"}' }),
  ],
  [
    'waits open after the end',
    'an open wait',
    ({ runs: [run] }) =>
      run.interrupts.push({ id: 'int_open', kind: 'question', call_id: 'x', state: 'open' }),
  ],
  [
    'files of a job kept twice',
    'the same file again',
    ({ runs: [run] }) => run.artifacts.push({ call_id: 'lookup' }),
  ],
  [
    'streams with a silent gap or a repeat',
    'a number that is missing',
    ({ runs: [{ record }] }) => record.reader.entries.splice(1, 1),
  ],
  [
    'streams with a silent gap or a repeat',
    'a number that comes twice',
    ({ runs: [{ record }] }) => record.reader.entries.splice(1, 0, record.reader.entries[0]),
  ],
  [
    'readers that end in another state',
    'a part that is missing',
    ({ runs: [{ late }] }) => Object.assign(late.view, { parts: [] }),
  ],
  [
    'requests refused by the model',
    'a call without a result',
    ({ requests }) => Object.assign(requests[1], { status: 400 }),
  ],
  [
    'turns asked again in other bytes',
    'another body',
    ({ requests }) => Object.assign(requests[1], { digest: 'y' }),
  ],
  ['events never published', 'an event that is left', ({ outbox }) => outbox.push({ stream_id: 'msg_1' })],
  [
    'processes that died by themselves',
    'a death',
    ({ deaths }) => deaths.push({ name: 'api-1', how: 'code 1', t: 5 }),
  ],
  ['other refusals', 'a refusal', ({ runs: [{ record }] }) => record.problems.push('could not be cancelled')],
];

const brokenBy = (evidence) =>
  prove(evidence)
    .filter(({ findings }) => findings.length > 0)
    .map(({ name }) => name);

describe('the rules of the chaos run', () => {
  it('find nothing in a run in which nothing went wrong', () => {
    expect(prove(evidenceOf()).flatMap(({ findings }) => findings)).toEqual([]);
  });

  it.each(HARMS)('%s: is broken by %s, and no other rule is', (name, _what, harm) => {
    const evidence = evidenceOf();
    harm(evidence);
    expect(brokenBy(evidence)).toEqual([name]);
  });

  it('have each been seen to be broken', () => {
    expect(new Set(HARMS.map(([name]) => name))).toEqual(new Set(RULES.map(({ name }) => name)));
  });
});
