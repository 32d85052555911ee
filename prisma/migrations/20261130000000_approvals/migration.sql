-- What lets a gated call run is bound to the arguments that were approved: JSON text of an Approval.

-- AlterTable
ALTER TABLE "tool_call" ADD COLUMN "approval" TEXT;

-- Wishes not to be asked again for a tool in a thread. One row for each interrupt where that was said, so that two
-- answers at once are two rows and never a conflict.

-- CreateTable
CREATE TABLE "remembered_approval" (
    "tenant_id" TEXT NOT NULL,
    "interrupt_id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "definition_digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "remembered_approval_pkey" PRIMARY KEY ("interrupt_id","tenant_id")
);

-- CreateIndex
CREATE INDEX "remembered_approval_thread_id_idx" ON "remembered_approval"("thread_id");

-- AddForeignKey
ALTER TABLE "remembered_approval" ADD CONSTRAINT "remembered_approval_tenant_id_thread_id_fkey" FOREIGN KEY ("tenant_id", "thread_id") REFERENCES "thread"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "remembered_approval" ADD CONSTRAINT "remembered_approval_tenant_id_interrupt_id_fkey" FOREIGN KEY ("tenant_id", "interrupt_id") REFERENCES "interrupt"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE remembered_approval ENABLE ROW LEVEL SECURITY;
ALTER TABLE remembered_approval FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON remembered_approval TO plinth_app USING (tenant_id = plinth.current_tenant());
CREATE POLICY own_end_user ON remembered_approval AS RESTRICTIVE TO plinth_app
  USING (plinth.current_end_user() IS NULL OR end_user_id = plinth.current_end_user());

-- A wish is made and taken back; it is never another one.
GRANT SELECT, INSERT, DELETE ON remembered_approval TO plinth_app;
