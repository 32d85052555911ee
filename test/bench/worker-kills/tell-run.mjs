/** The story of a run that did not complete: its rows, its claims, its job in the queue, and what was said of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Redis } from 'ioredis';
import { root } from '../../../scripts/lib/paths.mjs';

const OUTPUT = join(root, 'test/bench/output');

const TABLES = ['run', 'turn', 'tool_call', 'interrupt', 'event_outbox'];

/** Returns lines of text. */
export async function tellRun({ database, redisUrl, losses, dispatches, said }, played) {
  const { runId } = played;
  const lines = [`run ${runId} ended as ${played.ended} after ${Math.round(played.tookMs)} ms`];
  for (const table of TABLES) {
    const column = table === 'run' ? 'id' : table === 'event_outbox' ? 'stream_id' : 'run_id';
    const id = table === 'event_outbox' ? played.messageId : runId;
    const { rows } = await database.query(
      `SELECT row_to_json(t)::text AS row FROM ${table} t WHERE ${column} = $1`,
      [id],
    );
    lines.push(...rows.map(({ row }) => `${table} ${row.slice(0, 1_500)}`));
  }
  const { rows: claims } = await database.query(
    'SELECT at, fence, owner, attempts FROM bench_claim WHERE run_id = $1 ORDER BY at',
    [runId],
  );
  const happened = [
    ...claims.map(({ at, fence, owner, attempts }) => [
      at,
      `claimed by ${owner}, fence ${fence}, ${attempts}`,
    ]),
    ...losses
      .filter((loss) => loss.runId === runId)
      .map(({ at, fence, pid }) => [at, `process ${pid} killed, fence ${fence}`]),
    ...dispatches
      .filter((dispatch) => dispatch.runId === runId)
      .map(({ at, path, callId }) => [at, `dispatched ${path} for ${callId}`]),
    ...played.entries.map(({ at, seq, type }) => [at, `reader ${seq} ${type}`]),
    ...said.filter(({ text }) => text.includes(runId)).map(({ at, text }) => [at, `said ${text}`]),
  ];
  happened.sort(([a], [b]) => a - b);
  lines.push(...happened.map(([at, what]) => `${at.toISOString()} ${what}`));
  lines.push(...(await jobOf(redisUrl, runId)));
  return lines;
}

/** What the queue knows of a run, by BullMQ's own keys. */
export async function jobOf(redisUrl, runId) {
  const redis = new Redis(redisUrl);
  try {
    const base = '{plinth}:advance';
    const lines = [];
    for (const key of await redis.keys(`${base}:d[en]:*.${runId}*`)) {
      if (key.startsWith(`${base}:dn:`)) {
        lines.push(`queue: a wake is held back by an active job (${key})`);
        continue;
      }
      const id = await redis.get(key);
      const [lock, ...places] = await Promise.all([
        redis.pttl(`${base}:${id}:lock`),
        ...['active', 'wait'].map((list) => redis.lpos(`${base}:${list}`, id)),
      ]);
      const where =
        ['active', 'wait'].filter((_, index) => places[index] !== null).join(' and ') || 'no list';
      const stalls = await redis.hget(`${base}:${id}`, 'stc');
      lines.push(
        `queue: job ${id} (${key}) is in ${where}, its lock ends in ${lock} ms, stalled ${stalls ?? 0} times`,
      );
    }
    return lines;
  } finally {
    redis.disconnect();
  }
}

/** Writes the stories to the output folder, one file a run, and says where. */
export async function tellLostRuns(evidence, lost) {
  mkdirSync(OUTPUT, { recursive: true });
  for (const played of lost) {
    const file = join(OUTPUT, `lost-${played.runId}.txt`);
    writeFileSync(file, `${(await tellRun(evidence, played)).join('\n')}\n`);
    console.log(`    run ${played.runId} was lost: ${relative(root, file)}`);
  }
}
