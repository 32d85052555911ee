-- CreateTable
CREATE TABLE "image_variant" (
    "tenant_id" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "walls_key" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "mime_type" TEXT,
    "width" INTEGER,
    "height" INTEGER,
    "size_bytes" INTEGER,
    "storage_key" TEXT,
    "unreadable" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "image_variant_pkey" PRIMARY KEY ("sha256","walls_key","step","tenant_id")
);

-- CreateTable
CREATE TABLE "image_import" (
    "tenant_id" TEXT NOT NULL,
    "url_sha256" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "fetched_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "image_import_pkey" PRIMARY KEY ("url_sha256","tenant_id")
);

-- AddForeignKey
ALTER TABLE "image_variant" ADD CONSTRAINT "image_variant_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "image_import" ADD CONSTRAINT "image_import_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- A row is a picture with all that there is to know of it, or the sentence that says why there is none.
ALTER TABLE image_variant ADD CONSTRAINT image_variant_whole_check CHECK (
  num_nulls(mime_type, width, height, size_bytes, storage_key) = CASE WHEN unreadable IS NULL THEN 0 ELSE 5 END
);

ALTER TABLE image_variant ENABLE ROW LEVEL SECURITY;
ALTER TABLE image_variant FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON image_variant TO plinth_app USING (tenant_id = (SELECT plinth.current_tenant()));
GRANT SELECT, INSERT ON image_variant TO plinth_app;

ALTER TABLE image_import ENABLE ROW LEVEL SECURITY;
ALTER TABLE image_import FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON image_import TO plinth_app USING (tenant_id = (SELECT plinth.current_tenant()));
GRANT SELECT, INSERT, UPDATE ON image_import TO plinth_app;
