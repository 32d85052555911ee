-- AlterTable
ALTER TABLE "tool_call" ADD COLUMN     "enabled_tools" TEXT;
