-- CreateTable
CREATE TABLE "upload" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "upload_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateIndex
CREATE INDEX "upload_created_at_idx" ON "upload"("created_at");

-- AddForeignKey
ALTER TABLE "upload" ADD CONSTRAINT "upload_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;


ALTER TABLE upload ENABLE ROW LEVEL SECURITY;
ALTER TABLE upload FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON upload TO plinth_app USING (tenant_id = (SELECT plinth.current_tenant()));
CREATE POLICY own_end_user ON upload AS RESTRICTIVE TO plinth_app
  USING ((SELECT plinth.current_end_user()) IS NULL OR end_user_id = (SELECT plinth.current_end_user()));

-- Who forgets old ones does so for all tenants: ids alone, as with the other lookups (see the first migration).
CREATE POLICY lookup_by_owner ON upload FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION plinth.due_uploads(made_before timestamptz, lim int)
  RETURNS TABLE (tenant_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.tenant_id, u.id FROM public.upload u
   WHERE u.created_at <= due_uploads.made_before
   ORDER BY u.created_at
   LIMIT due_uploads.lim
$$;

REVOKE ALL ON FUNCTION plinth.due_uploads(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION plinth.due_uploads(timestamptz, int) TO plinth_app;
GRANT SELECT, INSERT, DELETE ON upload TO plinth_app;
