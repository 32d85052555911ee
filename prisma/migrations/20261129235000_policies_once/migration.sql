-- The policies ask for the tenant and the end user once a statement, not once a row: a scalar sub-select is
-- evaluated when it is first needed and kept. Reading a thread of 400 messages touches more than a thousand rows.
-- What they allow is the same, and a statement without a tenant still raises.
DO $$
DECLARE
  table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY[
    'tenant', 'api_key', 'agent', 'agent_version', 'tool', 'tenant_config_revision', 'thread', 'message', 'run',
    'turn', 'tool_call', 'interrupt', 'artifact', 'event_outbox'
  ] LOOP
    EXECUTE format(
      'ALTER POLICY own_tenant ON %I USING (%I = (SELECT plinth.current_tenant()))',
      table_name, CASE table_name WHEN 'tenant' THEN 'id' ELSE 'tenant_id' END
    );
  END LOOP;

  FOREACH table_name IN ARRAY ARRAY['thread', 'message', 'run', 'interrupt', 'artifact'] LOOP
    EXECUTE format(
      'ALTER POLICY own_end_user ON %I
         USING ((SELECT plinth.current_end_user()) IS NULL OR end_user_id = (SELECT plinth.current_end_user()))',
      table_name
    );
  END LOOP;
END $$;
