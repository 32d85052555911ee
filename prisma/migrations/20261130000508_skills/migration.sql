-- Named instruction packs, every version of them. A version is never changed; an agent version holds those it was
-- published with, so nothing refers to these rows.

-- CreateTable
CREATE TABLE "skill" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "skill_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "skill_version_key" ON "skill"("key", "version", "tenant_id");

-- AddForeignKey
ALTER TABLE "skill" ADD CONSTRAINT "skill_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE skill ENABLE ROW LEVEL SECURITY;
ALTER TABLE skill FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON skill TO plinth_app USING (tenant_id = plinth.current_tenant());

GRANT SELECT, INSERT ON skill TO plinth_app;
