-- CreateTable
CREATE TABLE "mcp_server" (
    "tenant_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "origin" TEXT NOT NULL,
    "definition" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mcp_server_pkey" PRIMARY KEY ("key","tenant_id")
);

-- AddForeignKey
ALTER TABLE "mcp_server" ADD CONSTRAINT "mcp_server_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- A stdio server is a process on the platform's own machine. Whatever the code above believes, no request of a
-- tenant can write one.
ALTER TABLE mcp_server
  ADD CONSTRAINT mcp_server_origin_check CHECK (origin IN ('operator', 'tenant')),
  ADD CONSTRAINT mcp_server_stdio_check
    CHECK (origin = 'operator' OR definition::json #>> '{transport,kind}' IS DISTINCT FROM 'stdio');

ALTER TABLE mcp_server ENABLE ROW LEVEL SECURITY;
ALTER TABLE mcp_server FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON mcp_server TO plinth_app USING (tenant_id = (SELECT plinth.current_tenant()));

GRANT SELECT, INSERT, UPDATE, DELETE ON mcp_server TO plinth_app;
