-- A result that is that of an earlier call: nothing was carried out for it.

-- AlterTable
ALTER TABLE "tool_call" ADD COLUMN "from_cache" BOOLEAN NOT NULL DEFAULT false;
