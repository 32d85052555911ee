-- Which thread an AG-UI client means by its own name for a conversation.

-- CreateTable
CREATE TABLE "agui_thread" (
    "tenant_id" TEXT NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agui_thread_pkey" PRIMARY KEY ("name","end_user_id","tenant_id")
);

-- AddForeignKey
ALTER TABLE "agui_thread" ADD CONSTRAINT "agui_thread_tenant_id_thread_id_fkey" FOREIGN KEY ("tenant_id", "thread_id") REFERENCES "thread"("tenant_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE agui_thread ENABLE ROW LEVEL SECURITY;
ALTER TABLE agui_thread FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON agui_thread TO plinth_app USING (tenant_id = (SELECT plinth.current_tenant()));
CREATE POLICY own_end_user ON agui_thread AS RESTRICTIVE TO plinth_app
  USING ((SELECT plinth.current_end_user()) IS NULL OR end_user_id = (SELECT plinth.current_end_user()));

-- A name stands for one thread for ever.
GRANT SELECT, INSERT ON agui_thread TO plinth_app;
