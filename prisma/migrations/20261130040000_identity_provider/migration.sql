-- CreateTable
CREATE TABLE "identity_provider" (
    "tenant_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "issuer" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "definition" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_provider_pkey" PRIMARY KEY ("key","tenant_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "identity_provider_issuer_audience_key" ON "identity_provider"("issuer", "audience");

-- AddForeignKey
ALTER TABLE "identity_provider" ADD CONSTRAINT "identity_provider_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE identity_provider ENABLE ROW LEVEL SECURITY;
ALTER TABLE identity_provider FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON identity_provider TO plinth_app USING (tenant_id = (SELECT plinth.current_tenant()));
-- No end user has anything to do with how a business lets people in, whatever code asks for.
CREATE POLICY no_end_user ON identity_provider AS RESTRICTIVE TO plinth_app
  USING ((SELECT plinth.current_end_user()) IS NULL);

-- A token names its issuer and audiences before its tenant is known: ids alone, as with the other lookups (see the
-- first migration). Two rows are enough to see that its audiences belong to more than one configuration.
CREATE POLICY lookup_by_owner ON identity_provider FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION plinth.find_identity_providers(issuer text, audiences text[])
  RETURNS TABLE (tenant_id text, provider_key text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.tenant_id, p.key FROM public.identity_provider p
   WHERE p.issuer = find_identity_providers.issuer AND p.audience = ANY (find_identity_providers.audiences)
   LIMIT 2
$$;

REVOKE ALL ON FUNCTION plinth.find_identity_providers(text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION plinth.find_identity_providers(text, text[]) TO plinth_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON identity_provider TO plinth_app;
