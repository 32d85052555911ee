-- CreateTable
CREATE TABLE "artifact_version" (
    "tenant_id" TEXT NOT NULL,
    "artifact_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "author_kind" TEXT NOT NULL,
    "author_id" TEXT,
    "run_id" TEXT,
    "call_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "artifact_version_pkey" PRIMARY KEY ("artifact_id","version","tenant_id")
);

-- AddForeignKey
ALTER TABLE "artifact_version" ADD CONSTRAINT "artifact_version_tenant_id_artifact_id_fkey" FOREIGN KEY ("tenant_id", "artifact_id") REFERENCES "artifact"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "artifact_version" ADD CONSTRAINT "artifact_version_tenant_id_run_id_fkey" FOREIGN KEY ("tenant_id", "run_id") REFERENCES "run"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "artifact_version" ADD CONSTRAINT "artifact_version_tenant_id_call_id_fkey" FOREIGN KEY ("tenant_id", "call_id") REFERENCES "tool_call"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE artifact_version
  ADD CONSTRAINT artifact_version_number_check CHECK (version >= 1),
  ADD CONSTRAINT artifact_version_author_check CHECK (
    author_kind IN ('model', 'end_user', 'api_key') AND (author_kind = 'model') = (author_id IS NULL)
  );

-- A call that is carried out again after a crash finds what it has written.
CREATE INDEX artifact_version_call_id_idx ON artifact_version (call_id) WHERE call_id IS NOT NULL;

ALTER TABLE artifact_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE artifact_version FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON artifact_version TO plinth_app USING (tenant_id = (SELECT plinth.current_tenant()));
CREATE POLICY own_end_user ON artifact_version AS RESTRICTIVE TO plinth_app
  USING ((SELECT plinth.current_end_user()) IS NULL OR end_user_id = (SELECT plinth.current_end_user()));

-- No UPDATE, no DELETE: a version is what it was.
GRANT SELECT, INSERT ON artifact_version TO plinth_app;

-- Whoever makes an artifact makes its first version with it, in the same statement.
CREATE FUNCTION plinth.keep_first_version() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO public.artifact_version
    (tenant_id, artifact_id, version, end_user_id, kind, mime_type, title, storage_key, size_bytes, sha256,
     author_kind, author_id, run_id, call_id, created_at)
  VALUES
    (NEW.tenant_id, NEW.id, NEW.version, NEW.end_user_id, NEW.kind, NEW.mime_type, NEW.title, NEW.storage_key,
     NEW.size_bytes, NEW.sha256,
     CASE WHEN NEW.call_id IS NULL THEN 'end_user' ELSE 'model' END,
     CASE WHEN NEW.call_id IS NULL THEN NEW.end_user_id END,
     NEW.run_id, NEW.call_id, NEW.created_at);
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION plinth.keep_first_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION plinth.keep_first_version() TO plinth_app;
CREATE TRIGGER artifact_first_version AFTER INSERT ON artifact
  FOR EACH ROW EXECUTE FUNCTION plinth.keep_first_version();

-- Those that are there already. Forced policies would hide them from the role that migrates.
ALTER TABLE artifact NO FORCE ROW LEVEL SECURITY;
ALTER TABLE artifact_version NO FORCE ROW LEVEL SECURITY;
INSERT INTO artifact_version
  (tenant_id, artifact_id, version, end_user_id, kind, mime_type, title, storage_key, size_bytes, sha256,
   author_kind, author_id, run_id, call_id, created_at)
SELECT tenant_id, id, version, end_user_id, kind, mime_type, title, storage_key, size_bytes, sha256,
       CASE WHEN call_id IS NULL THEN 'end_user' ELSE 'model' END, CASE WHEN call_id IS NULL THEN end_user_id END,
       run_id, call_id, created_at
  FROM artifact;
ALTER TABLE artifact FORCE ROW LEVEL SECURITY;
ALTER TABLE artifact_version FORCE ROW LEVEL SECURITY;
