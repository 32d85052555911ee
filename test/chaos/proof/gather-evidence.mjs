/** All that the proof is made from: the ledger's rows, what readers saw, what the model and the jobs were asked. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { untilDefinite } from '../runs/person.mjs';
import { Reader } from '../runs/reader.mjs';
import { runOfText } from '../world/model.mjs';

/** Runs that were in a fault's hands at the end get this long to come to theirs. */
const SETTLE_MS = 90_000;
const LATE_READER_MS = 30_000;

const TABLES = ['run', 'turn', 'tool_call', 'interrupt', 'artifact', 'event_outbox'];

async function readTables(adminUrl) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const tables = {};
    for (const table of TABLES) {
      const { rows } = await client.query(`SELECT row_to_json(t) AS row FROM ${table} t`);
      tables[table] = rows.map(({ row }) => row);
    }
    return tables;
  } finally {
    await client.end();
  }
}

const ENDED = ['completed', 'failed', 'cancelled'];

/** Waits until every run has ended and every event is published, or the time is over. */
async function settled(world) {
  const deadline = world.now() + SETTLE_MS;
  for (;;) {
    const tables = await readTables(world.stores.adminUrl);
    const isSettled =
      tables.run.every(({ status }) => ENDED.includes(status)) && tables.event_outbox.length === 0;
    if (isSettled || world.now() > deadline) return tables;
    await pause(500);
  }
}

/** The requests to the model, each with the run it was about and the turn it asked for. */
function requestsOf({ requests }) {
  return requests.map(({ raw, status, digest, at, aborted }) => {
    const { messages } = JSON.parse(raw);
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    const turn = messages.slice(lastUser + 1).filter(({ role }) => role === 'assistant').length;
    return { run: runOfText(messages[lastUser]?.content ?? ''), turn, status, digest, at, aborted, raw };
  });
}

/** Reads the whole log once more, from its start, and the state as the API gives it. */
async function lookAgain(world, record) {
  const client = await world.session(record.person);
  const signal = AbortSignal.timeout(LATE_READER_MS);
  const late = new Reader({ client, run: record, now: world.now });
  const get = () => client.raw('GET', `/v1/messages/${record.messageId}`);
  const [got] = await Promise.all([untilDefinite(get, { signal, now: world.now }), late.follow(signal)]);
  return { late, got: got?.status === 200 ? got.body : null };
}

export async function gatherEvidence(world, records) {
  const tables = await settled(world);
  const of = (table, runId) => tables[table].filter(({ run_id }) => run_id === runId);
  const runs = [];
  for (const record of records) {
    if (record.runId === undefined) {
      runs.push({
        record,
        row: null,
        turns: [],
        calls: [],
        interrupts: [],
        artifacts: [],
        late: null,
        got: null,
      });
      continue;
    }
    runs.push({
      record,
      row: tables.run.find(({ id }) => id === record.runId) ?? null,
      turns: of('turn', record.runId),
      calls: of('tool_call', record.runId),
      interrupts: of('interrupt', record.runId),
      artifacts: of('artifact', record.runId),
      ...(await lookAgain(world, record)),
    });
  }
  return {
    runs,
    rows: tables.run,
    outbox: tables.event_outbox,
    requests: requestsOf(world.plinth.sim),
    effects: world.jobs.effects,
    callbacks: world.jobs.callbacks,
    deaths: world.supervisor.deaths,
  };
}

export const hasEnded = (row) => row !== null && ENDED.includes(row.status);
