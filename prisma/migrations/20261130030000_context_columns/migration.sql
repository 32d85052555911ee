-- AlterTable
ALTER TABLE "message" ADD COLUMN     "attachments" TEXT;

-- AlterTable
ALTER TABLE "run" ADD COLUMN     "context_cut" TEXT;

-- AlterTable
ALTER TABLE "tool_call" ADD COLUMN     "images" TEXT;

-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "context" TEXT;

-- Only people send something along.
ALTER TABLE message ADD CONSTRAINT message_attachments_check CHECK (attachments IS NULL OR role = 'user');
