-- CreateTable
CREATE TABLE "tenant_secret" (
    "tenant_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "nonce" BYTEA NOT NULL,
    "key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenant_secret_pkey" PRIMARY KEY ("name","tenant_id")
);

-- AddForeignKey
ALTER TABLE "tenant_secret" ADD CONSTRAINT "tenant_secret_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Not modelled by Prisma: a name that templates can use, and a nonce of AES-GCM (96 bits, NIST SP 800-38D 5.2.1.1).
ALTER TABLE tenant_secret ADD CONSTRAINT tenant_secret_name_check CHECK (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$');
ALTER TABLE tenant_secret ADD CONSTRAINT tenant_secret_nonce_check CHECK (octet_length(nonce) = 12);

ALTER TABLE tenant_secret ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant_secret FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON tenant_secret TO plinth_app USING (tenant_id = (SELECT plinth.current_tenant()));
-- No end user has anything to do with the secrets of a business, whatever code asks for.
CREATE POLICY no_end_user ON tenant_secret AS RESTRICTIVE TO plinth_app
  USING ((SELECT plinth.current_end_user()) IS NULL);

GRANT SELECT, INSERT, UPDATE, DELETE ON tenant_secret TO plinth_app;
