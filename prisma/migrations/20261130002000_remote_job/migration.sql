-- CreateTable
CREATE TABLE "remote_job" (
    "tenant_id" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "interrupt_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "next_look_at" TIMESTAMPTZ(3) NOT NULL,
    "looks" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "remote_job_pkey" PRIMARY KEY ("call_id","tenant_id")
);

-- CreateIndex
CREATE INDEX "remote_job_next_look_at_idx" ON "remote_job"("next_look_at");

-- AddForeignKey
ALTER TABLE "remote_job" ADD CONSTRAINT "remote_job_tenant_id_run_id_fkey" FOREIGN KEY ("tenant_id", "run_id") REFERENCES "run"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "remote_job" ADD CONSTRAINT "remote_job_tenant_id_call_id_fkey" FOREIGN KEY ("tenant_id", "call_id") REFERENCES "tool_call"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "remote_job" ADD CONSTRAINT "remote_job_tenant_id_interrupt_id_fkey" FOREIGN KEY ("tenant_id", "interrupt_id") REFERENCES "interrupt"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE remote_job
  ADD CONSTRAINT remote_job_kind_check CHECK (kind IN ('comfyui', 'poll')),
  ADD CONSTRAINT remote_job_state_check CHECK (state IN ('sending', 'waiting')),
  ADD CONSTRAINT remote_job_lease_check CHECK ((lease_owner IS NULL) = (lease_until IS NULL));

ALTER TABLE remote_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE remote_job FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON remote_job TO plinth_app USING (tenant_id = (SELECT plinth.current_tenant()));

-- Who looks after jobs does so for all tenants: ids alone, as with the other lookups (see the first migration).
CREATE POLICY lookup_by_owner ON remote_job FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION plinth.due_remote_jobs(now timestamptz, lim int)
  RETURNS TABLE (tenant_id text, call_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT j.tenant_id, j.call_id FROM public.remote_job j
   WHERE j.next_look_at <= due_remote_jobs.now
     AND (j.lease_until IS NULL OR j.lease_until <= due_remote_jobs.now)
   ORDER BY j.next_look_at
   LIMIT due_remote_jobs.lim
$$;

REVOKE ALL ON FUNCTION plinth.due_remote_jobs(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION plinth.due_remote_jobs(timestamptz, int) TO plinth_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON remote_job TO plinth_app;
