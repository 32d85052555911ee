-- The sweeper's wake names the fence: one job for each lost claim, beside the job of the worker that died with it.
-- A column more is another return type, so the function is made anew. Servers of the version before go on reading the
-- two columns that they know.

DROP FUNCTION plinth.due_runs(timestamptz, timestamptz, int);

CREATE FUNCTION plinth.due_runs(now timestamptz, queued_before timestamptz, lim int)
  RETURNS TABLE (tenant_id text, run_id text, fence int)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT due.tenant_id, due.id, due.fence
    FROM (
      (SELECT r.tenant_id, r.id, r.fence, r.queued_at AS since FROM public.run r
        WHERE r.status = 'queued' AND r.queued_at < due_runs.queued_before
        ORDER BY r.queued_at LIMIT due_runs.lim)
      UNION ALL
      (SELECT r.tenant_id, r.id, r.fence, r.lease_until AS since FROM public.run r
        WHERE r.status = 'running' AND r.lease_until < due_runs.now
        ORDER BY r.lease_until LIMIT due_runs.lim)
    ) due
   ORDER BY due.since
   LIMIT due_runs.lim
$$;

REVOKE ALL ON FUNCTION plinth.due_runs(timestamptz, timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION plinth.due_runs(timestamptz, timestamptz, int) TO plinth_app;
