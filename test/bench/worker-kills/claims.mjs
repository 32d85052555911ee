/** Who took which run, and when, and how much each worker wrote: triggers in the benchmark's own database note it. */

const NOTES = `
  CREATE TABLE bench_claim (run_id text, fence int, owner text, attempts int, at timestamptz);
  CREATE FUNCTION bench_note_claim() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO bench_claim VALUES (NEW.id, NEW.fence, NEW.lease_owner, NEW.attempts, clock_timestamp());
      RETURN NULL;
    END $$;
  CREATE TRIGGER bench_claims AFTER UPDATE OF fence ON run
    FOR EACH ROW WHEN (NEW.fence > OLD.fence AND NEW.status = 'running') EXECUTE FUNCTION bench_note_claim();

  CREATE TABLE bench_write (pid text);
  CREATE INDEX ON bench_write (pid);
  CREATE FUNCTION bench_note_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO bench_write VALUES (split_part(NEW.lease_owner, ':', 2));
      RETURN NULL;
    END $$;
  -- Not where the lease alone grew: a worker that gets nowhere renews as well.
  CREATE TRIGGER bench_writes AFTER UPDATE ON run
    FOR EACH ROW WHEN (NEW.lease_owner IS NOT NULL
      AND (NEW.lease_until IS NOT DISTINCT FROM OLD.lease_until OR NEW.fence > OLD.fence OR NEW.status <> OLD.status))
    EXECUTE FUNCTION bench_note_write();`;

export const noteClaims = (database) => database.query(NOTES);

/** How often this process has written a run that it holds or held last: claims, turns, parks, ends. */
export async function writesOf(database, pid) {
  const { rows } = await database.query('SELECT count(*)::int AS writes FROM bench_write WHERE pid = $1', [
    String(pid),
  ]);
  return rows[0].writes;
}

/** The runs that this process holds, with the fence of its hold and the time by the database's clock. */
export async function heldBy(database, pid) {
  const { rows } = await database.query(
    `SELECT id AS "runId", fence, clock_timestamp() AS at FROM run
      WHERE status = 'running' AND lease_owner LIKE $1`,
    [`%:${pid}:%`],
  );
  return rows;
}

/** Milliseconds from each loss of a hold to the next claim of that run; null where none came. */
export async function takeOverTimes(database, losses) {
  const { rows } = await database.query(
    `SELECT extract(epoch FROM (SELECT min(c.at) FROM bench_claim c
                                 WHERE c.run_id = l.run_id AND c.fence > l.fence) - l.at)::float8 * 1000 AS ms
       FROM unnest($1::text[], $2::int[], $3::timestamptz[]) AS l(run_id, fence, at)`,
    [losses.map(({ runId }) => runId), losses.map(({ fence }) => fence), losses.map(({ at }) => at)],
  );
  return rows.map(({ ms }) => ms);
}

/** Workers that one run lost in a row at most without getting on. */
export async function mostAttempts(database) {
  const { rows } = await database.query('SELECT coalesce(max(attempts), 0)::int AS most FROM bench_claim');
  return rows[0].most;
}
