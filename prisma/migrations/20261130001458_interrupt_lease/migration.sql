-- A tool that only the person's browser can do waits as an interrupt of kind frontend, which one page leases.

-- AlterTable
ALTER TABLE "interrupt" ADD COLUMN     "lease" TEXT;

ALTER TABLE interrupt
  DROP CONSTRAINT interrupt_kind_check,
  ADD CONSTRAINT interrupt_kind_check
    CHECK (kind IN ('confirmation', 'component', 'callback', 'question', 'frontend')),
  ADD CONSTRAINT interrupt_lease_check CHECK (lease IS NULL OR kind = 'frontend');
