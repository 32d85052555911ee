-- What the permission rules said about a call, and of which revision of the configuration. JSON text.

-- AlterTable
ALTER TABLE "tool_call" ADD COLUMN "permission" TEXT;
