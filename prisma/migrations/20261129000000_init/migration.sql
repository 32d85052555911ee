-- The tables of Plinth, and who may see which row of them.
--
-- First part: what prisma/schema.prisma says (written by scripts/migration-diff.mjs).
-- Second part: what Prisma does not model: checks, partial indexes, policies, functions and grants.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'plinth_app') THEN
    RAISE EXCEPTION 'the role plinth_app does not exist, so nothing can be granted to it'
      USING ERRCODE = 'undefined_object',
            HINT = 'Migrate with "npm run migrate", which creates the role first, or create it: '
                   'CREATE ROLE plinth_app LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD ''...''';
  END IF;
END $$;

-- CreateTable
CREATE TABLE "tenant" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "agent" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "agent_version" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_version_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "tool" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tool_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "tenant_config_revision" (
    "tenant_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "values" JSONB NOT NULL,
    "author" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenant_config_revision_pkey" PRIMARY KEY ("tenant_id","revision")
);

-- CreateTable
CREATE TABLE "thread" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "title" TEXT,
    "head_message_id" TEXT,
    "event_epoch" INTEGER NOT NULL DEFAULT 1,
    "event_tail" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "thread_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "message" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "parent_id" TEXT,
    "role" TEXT NOT NULL,
    "visibility" TEXT NOT NULL,
    "text" TEXT,
    "run_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "run" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "user_message_id" TEXT NOT NULL,
    "agent_version_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "error" TEXT,
    "usage" JSONB NOT NULL,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "cancel_requested_at" TIMESTAMPTZ(3),
    "event_epoch" INTEGER NOT NULL DEFAULT 1,
    "event_tail" INTEGER NOT NULL DEFAULT 0,
    "idempotency_key" TEXT,
    "request_digest" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "queued_at" TIMESTAMPTZ(3) NOT NULL,
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "turn" (
    "tenant_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "assistant_raw" TEXT NOT NULL,
    "reasoning" TEXT,
    "request_digest" TEXT NOT NULL,
    "config_revision" INTEGER NOT NULL,
    "usage" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "turn_pkey" PRIMARY KEY ("run_id","index","tenant_id")
);

-- CreateTable
CREATE TABLE "tool_call" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "turn_index" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "provider_call_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "arguments_raw" TEXT NOT NULL,
    "arguments_edited" TEXT,
    "status" TEXT NOT NULL,
    "approved_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "started_fence" INTEGER,
    "accepted_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "result_text" TEXT,
    "summary" TEXT,
    "error" TEXT,
    "artifact_ids" TEXT[],
    "visibility" TEXT NOT NULL,

    CONSTRAINT "tool_call_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "interrupt" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "callback_token_hash" TEXT,
    "answer" TEXT,
    "answered_by" TEXT,
    "answered_at" TIMESTAMPTZ(3),
    "answer_request_id" TEXT,
    "consumed_at" TIMESTAMPTZ(3),
    "closed_why" TEXT,

    CONSTRAINT "interrupt_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "artifact" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "run_id" TEXT,
    "call_id" TEXT,
    "kind" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "storage_key" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "open" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "artifact_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "event_outbox" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "stream_kind" TEXT NOT NULL,
    "stream_id" TEXT NOT NULL,
    "event_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "payload" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_outbox_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenant_key_key" ON "tenant"("key");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "agent_key_key" ON "agent"("key", "tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_version_version_key" ON "agent_version"("agent_id", "version", "tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "tool_version_key" ON "tool"("key", "version", "tenant_id");

-- CreateIndex
CREATE INDEX "thread_end_user_idx" ON "thread"("end_user_id", "tenant_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "message_thread_id_idx" ON "message"("thread_id");

-- CreateIndex
CREATE INDEX "message_parent_id_idx" ON "message"("parent_id");

-- CreateIndex
CREATE INDEX "run_thread_id_idx" ON "run"("thread_id");

-- CreateIndex
CREATE UNIQUE INDEX "run_message_key" ON "run"("message_id", "tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "run_idempotency_key" ON "run"("idempotency_key", "end_user_id", "tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "tool_call_place_key" ON "tool_call"("run_id", "turn_index", "position", "tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "interrupt_callback_token_hash_key" ON "interrupt"("callback_token_hash");

-- CreateIndex
CREATE INDEX "interrupt_run_id_idx" ON "interrupt"("run_id");

-- CreateIndex
CREATE INDEX "artifact_run_id_idx" ON "artifact"("run_id");

-- CreateIndex
CREATE INDEX "artifact_thread_id_idx" ON "artifact"("thread_id");

-- CreateIndex
CREATE INDEX "event_outbox_stream_id_id_idx" ON "event_outbox"("stream_id", "id");

-- CreateIndex
CREATE INDEX "event_outbox_created_at_idx" ON "event_outbox"("created_at");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent" ADD CONSTRAINT "agent_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_version" ADD CONSTRAINT "agent_version_tenant_id_agent_id_fkey" FOREIGN KEY ("tenant_id", "agent_id") REFERENCES "agent"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tool" ADD CONSTRAINT "tool_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tenant_config_revision" ADD CONSTRAINT "tenant_config_revision_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "thread" ADD CONSTRAINT "thread_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "thread" ADD CONSTRAINT "thread_tenant_id_head_message_id_fkey" FOREIGN KEY ("tenant_id", "head_message_id") REFERENCES "message"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_tenant_id_thread_id_fkey" FOREIGN KEY ("tenant_id", "thread_id") REFERENCES "thread"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_tenant_id_parent_id_fkey" FOREIGN KEY ("tenant_id", "parent_id") REFERENCES "message"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_tenant_id_run_id_fkey" FOREIGN KEY ("tenant_id", "run_id") REFERENCES "run"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_tenant_id_thread_id_fkey" FOREIGN KEY ("tenant_id", "thread_id") REFERENCES "thread"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_tenant_id_message_id_fkey" FOREIGN KEY ("tenant_id", "message_id") REFERENCES "message"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_tenant_id_user_message_id_fkey" FOREIGN KEY ("tenant_id", "user_message_id") REFERENCES "message"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_tenant_id_agent_version_id_fkey" FOREIGN KEY ("tenant_id", "agent_version_id") REFERENCES "agent_version"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "turn" ADD CONSTRAINT "turn_tenant_id_run_id_fkey" FOREIGN KEY ("tenant_id", "run_id") REFERENCES "run"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tool_call" ADD CONSTRAINT "tool_call_tenant_id_run_id_fkey" FOREIGN KEY ("tenant_id", "run_id") REFERENCES "run"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tool_call" ADD CONSTRAINT "tool_call_tenant_id_run_id_turn_index_fkey" FOREIGN KEY ("tenant_id", "run_id", "turn_index") REFERENCES "turn"("tenant_id", "run_id", "index") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "interrupt" ADD CONSTRAINT "interrupt_tenant_id_run_id_fkey" FOREIGN KEY ("tenant_id", "run_id") REFERENCES "run"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "interrupt" ADD CONSTRAINT "interrupt_tenant_id_call_id_fkey" FOREIGN KEY ("tenant_id", "call_id") REFERENCES "tool_call"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_tenant_id_thread_id_fkey" FOREIGN KEY ("tenant_id", "thread_id") REFERENCES "thread"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_tenant_id_run_id_fkey" FOREIGN KEY ("tenant_id", "run_id") REFERENCES "run"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_tenant_id_call_id_fkey" FOREIGN KEY ("tenant_id", "call_id") REFERENCES "tool_call"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- ---------------------------------------------------------------------------------------------------------
-- Checks and partial indexes

ALTER TABLE api_key ALTER COLUMN scopes SET NOT NULL;
ALTER TABLE tool_call ALTER COLUMN artifact_ids SET NOT NULL;

ALTER TABLE message
  ADD CONSTRAINT message_role_check CHECK (role IN ('user', 'assistant')),
  ADD CONSTRAINT message_visibility_check CHECK (visibility IN ('chat', 'shadow', 'internal')),
  ADD CONSTRAINT message_text_check CHECK ((role = 'user') = (text IS NOT NULL)),
  ADD CONSTRAINT message_run_check CHECK ((role = 'assistant') = (run_id IS NOT NULL));

ALTER TABLE run
  ADD CONSTRAINT run_status_check
    CHECK (status IN ('queued', 'running', 'interrupted', 'completed', 'failed', 'cancelled')),
  ADD CONSTRAINT run_idempotency_check CHECK ((idempotency_key IS NULL) = (request_digest IS NULL));

ALTER TABLE tool_call
  ADD CONSTRAINT tool_call_status_check
    CHECK (status IN ('pending', 'started', 'succeeded', 'failed', 'declined', 'expired', 'cancelled', 'superseded', 'unknown')),
  ADD CONSTRAINT tool_call_visibility_check CHECK (visibility IN ('chat', 'shadow', 'internal'));

ALTER TABLE interrupt
  ADD CONSTRAINT interrupt_kind_check CHECK (kind IN ('confirmation', 'component', 'callback', 'question')),
  ADD CONSTRAINT interrupt_state_check CHECK (state IN ('open', 'answered', 'closed')),
  ADD CONSTRAINT interrupt_closed_why_check CHECK (closed_why IN ('expired', 'cancelled', 'superseded', 'settled'));

ALTER TABLE artifact
  ADD CONSTRAINT artifact_open_check CHECK (open IN ('auto', 'notify', 'silent'));

ALTER TABLE event_outbox
  ADD CONSTRAINT event_outbox_stream_kind_check CHECK (stream_kind IN ('message', 'thread'));

-- One active run per thread, whatever the code above it believes.
CREATE UNIQUE INDEX run_active_key ON run (thread_id, tenant_id) WHERE status IN ('queued', 'running', 'interrupted');

-- What the sweeper reads, over all tenants. Each holds only the few rows that are in that state now.
CREATE INDEX run_queued_idx ON run (queued_at) WHERE status = 'queued';
CREATE INDEX run_leased_idx ON run (lease_until) WHERE status = 'running';
CREATE INDEX run_deadline_idx ON run (deadline_at) WHERE status IN ('queued', 'interrupted');
CREATE INDEX interrupt_due_idx ON interrupt (expires_at) WHERE state = 'open';

-- ---------------------------------------------------------------------------------------------------------
-- Row-level security
--
-- Every transaction of the server names its tenant (and, for an end user, that user) in settings that are
-- local to it. A query without a tenant RAISES: an empty answer would look like "there is nothing".

CREATE SCHEMA plinth;

CREATE FUNCTION plinth.current_tenant() RETURNS text
  LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
DECLARE
  tenant text := pg_catalog.current_setting('plinth.tenant', true);
BEGIN
  IF tenant IS NULL OR tenant = '' THEN
    RAISE EXCEPTION 'no tenant is set for this transaction'
      USING ERRCODE = 'insufficient_privilege',
            HINT = 'Tenant tables are read and written inside TenantDatabase.inTenant only.';
  END IF;
  RETURN tenant;
END $$;

-- Null: the caller is not an end user (an API key, a worker) and sees every end user of the tenant.
CREATE FUNCTION plinth.current_end_user() RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(pg_catalog.current_setting('plinth.end_user', true), '') $$;

-- FORCE: the policies bind the owner of the tables too, for whom there is none but the lookups below. A
-- migration that must change rows while it runs as an ordinary owner lifts it first (ALTER TABLE ... NO FORCE
-- ROW LEVEL SECURITY) and sets it again.
DO $$
DECLARE
  table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY[
    'tenant', 'api_key', 'agent', 'agent_version', 'tool', 'tenant_config_revision', 'thread', 'message', 'run',
    'turn', 'tool_call', 'interrupt', 'artifact', 'event_outbox'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', table_name);
    EXECUTE format(
      'CREATE POLICY own_tenant ON %I TO plinth_app USING (%I = plinth.current_tenant())',
      table_name, CASE table_name WHEN 'tenant' THEN 'id' ELSE 'tenant_id' END
    );
  END LOOP;

  -- RESTRICTIVE: on top of the tenant, never instead of it. Turns and tool calls have no end user of their
  -- own and are reached through their run.
  FOREACH table_name IN ARRAY ARRAY['thread', 'message', 'run', 'interrupt', 'artifact'] LOOP
    EXECUTE format(
      'CREATE POLICY own_end_user ON %I AS RESTRICTIVE TO plinth_app
         USING (plinth.current_end_user() IS NULL OR end_user_id = plinth.current_end_user())',
      table_name
    );
  END LOOP;
END $$;

-- ---------------------------------------------------------------------------------------------------------
-- Lookups that come before a tenant is known
--
-- An API key, a callback token and the sweeper have no tenant yet. They get these functions, which answer
-- with ids alone; everything else is then read inside the tenant. The functions run as their owner, the role
-- that migrates. When that role is no superuser it needs policies to see the rows, since FORCE binds it:
-- read-only ones, for the five tables concerned, for this one role.
--
-- Why that is safe: the owner of a table could always switch its policies off, so these give it nothing that
-- it did not have. The app role is not that role and no member of it (the server checks at start), so to it
-- the policies do not apply; it can only call the functions. Their search_path is fixed and their tables
-- are named with their schema, so no caller can put a table or operator of its own in their way.
--
-- CURRENT_USER is resolved now: whoever gives the tables another owner must give these policies that role too.

CREATE POLICY lookup_by_owner ON tenant FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY lookup_by_owner ON api_key FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY lookup_by_owner ON run FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY lookup_by_owner ON interrupt FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY lookup_by_owner ON event_outbox FOR SELECT TO CURRENT_USER USING (true);

CREATE FUNCTION plinth.find_tenant(key text)
  RETURNS TABLE (tenant_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT t.id FROM public.tenant t WHERE t.key = find_tenant.key $$;

CREATE FUNCTION plinth.find_api_key(hash text)
  RETURNS TABLE (tenant_id text, api_key_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT k.tenant_id, k.id FROM public.api_key k WHERE k.hash = find_api_key.hash $$;

CREATE FUNCTION plinth.find_callback(token_hash text)
  RETURNS TABLE (tenant_id text, interrupt_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT i.tenant_id, i.id FROM public.interrupt i WHERE i.callback_token_hash = find_callback.token_hash $$;

CREATE FUNCTION plinth.due_runs(now timestamptz, queued_before timestamptz, lim int)
  RETURNS TABLE (tenant_id text, run_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT due.tenant_id, due.id
    FROM (
      (SELECT r.tenant_id, r.id, r.queued_at AS since FROM public.run r
        WHERE r.status = 'queued' AND r.queued_at < due_runs.queued_before
        ORDER BY r.queued_at LIMIT due_runs.lim)
      UNION ALL
      (SELECT r.tenant_id, r.id, r.lease_until AS since FROM public.run r
        WHERE r.status = 'running' AND r.lease_until < due_runs.now
        ORDER BY r.lease_until LIMIT due_runs.lim)
    ) due
   ORDER BY due.since
   LIMIT due_runs.lim
$$;

CREATE FUNCTION plinth.overdue_runs(now timestamptz, lim int)
  RETURNS TABLE (tenant_id text, run_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.tenant_id, r.id FROM public.run r
   WHERE r.status IN ('queued', 'interrupted') AND r.deadline_at <= overdue_runs.now
   ORDER BY r.deadline_at
   LIMIT overdue_runs.lim
$$;

CREATE FUNCTION plinth.due_interrupts(now timestamptz, lim int)
  RETURNS TABLE (tenant_id text, interrupt_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT i.tenant_id, i.id FROM public.interrupt i
   WHERE i.state = 'open' AND i.expires_at <= due_interrupts.now
   ORDER BY i.expires_at
   LIMIT due_interrupts.lim
$$;

CREATE FUNCTION plinth.due_streams(before timestamptz, lim int)
  RETURNS TABLE (tenant_id text, stream_kind text, stream_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT o.tenant_id, o.stream_kind, o.stream_id FROM public.event_outbox o
   WHERE o.created_at < due_streams.before
   GROUP BY o.tenant_id, o.stream_kind, o.stream_id
   ORDER BY min(o.created_at)
   LIMIT due_streams.lim
$$;

-- ---------------------------------------------------------------------------------------------------------
-- Grants: no more than the server does. What is immutable cannot be updated; only the outbox is deleted from.

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA plinth FROM PUBLIC;
GRANT USAGE ON SCHEMA public, plinth TO plinth_app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA plinth TO plinth_app;

GRANT SELECT, INSERT ON agent_version, tool, tenant_config_revision, message, turn TO plinth_app;
GRANT SELECT, INSERT, UPDATE ON tenant, api_key, agent, thread, run, tool_call, interrupt, artifact TO plinth_app;
GRANT SELECT, INSERT, DELETE ON event_outbox TO plinth_app;
GRANT USAGE ON SEQUENCE event_outbox_id_seq TO plinth_app;
