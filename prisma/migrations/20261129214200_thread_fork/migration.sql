-- A fork shares the messages that it was made from: they stay in their thread, and the fork points to the last one.
-- Its tree is that message, all above it, and what was written in the fork itself. No index: the way leads from a
-- thread to its message, never back.

-- AlterTable
ALTER TABLE "thread" ADD COLUMN "forked_from_id" TEXT;

-- AddForeignKey
ALTER TABLE "thread" ADD CONSTRAINT "thread_tenant_id_forked_from_id_fkey" FOREIGN KEY ("tenant_id", "forked_from_id") REFERENCES "message"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
