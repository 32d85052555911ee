import * as protocol from '@plinth/protocol';
import { z } from 'zod';

/** The schemas that have a name in the API document. */
const NAMED: Record<string, z.ZodType> = {
  JsonValue: protocol.jsonValue,
  Problem: protocol.problem,
  StartRunRequest: protocol.startRunRequest,
  StartRunResponse: protocol.startRunResponse,
  RetryRunRequest: protocol.retryRunRequest,
  AnswerRequest: protocol.answerRequest,
  AnswerResponse: protocol.answerResponse,
  LeaseRequest: protocol.leaseRequest,
  LeaseResponse: protocol.leaseResponse,
  Run: protocol.runView,
  RunContext: protocol.runContextView,
  TurnRequest: protocol.turnRequestView,
  Upload: protocol.uploadView,
  Thread: protocol.threadView,
  ThreadMessage: protocol.threadMessage,
  CreateThreadRequest: protocol.createThreadRequest,
  MoveHeadRequest: protocol.moveHeadRequest,
  Branch: protocol.branchView,
  ForkThreadRequest: protocol.forkThreadRequest,
  Message: protocol.messageView,
  Interrupt: protocol.interruptView,
  Artifact: protocol.artifactView,
  ArtifactVersion: protocol.artifactVersionView,
  EventBody: protocol.eventBody,
  ThreadEvent: protocol.threadEvent,
  CallbackResult: protocol.callbackResult,
  CallbackProgress: protocol.callbackProgress,
  SessionTokenRequest: protocol.sessionTokenRequest,
  SessionTokenResponse: protocol.sessionTokenResponse,
  TenantConfig: protocol.tenantConfig,
  PutSecretRequest: protocol.putSecretRequest,
  Secret: protocol.secretView,
  OpenApiImportRequest: protocol.openApiImportRequest,
  OpenApiImportResponse: protocol.openApiImportResponse,
  McpServer: protocol.mcpServerView,
  PutMcpServerRequest: protocol.putMcpServerRequest,
  ImportMcpToolsRequest: protocol.importMcpToolsRequest,
  ImportMcpToolsResponse: protocol.importMcpToolsResponse,
  IdentityProvider: protocol.identityProviderView,
  PutIdentityProviderRequest: protocol.putIdentityProviderRequest,
  PutSkillRequest: protocol.putSkillRequest,
  Skill: protocol.skillView,
  Tool: protocol.toolDefinition,
  Agent: protocol.agentDefinition,
};

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });

type JsonSchema = Record<string, unknown>;

/** A named schema is registered under an absolute id, which is not part of an OpenAPI document. */
function clean(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}

/** All named schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: 'input' });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, clean(schema as JsonSchema)]));
}

/**
 * A reference when the schema has a name, else the schema itself. What only code can check is any value there: AG-UI's schemas
 * have such places for JSON of the client's own.
 */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const id = registry.get(schema)?.id;
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
  const options = { io: 'input', metadata: registry, unrepresentable: 'any' } as const;
  return inDocument(clean(z.toJSONSchema(schema, options) as JsonSchema));
}

/**
 * A schema by itself brings what it names along, under `$defs`. In a document such a reference would lead to the document's own
 * `$defs`, which there are none of: named schemas stand under its components.
 */
function inDocument({ $defs = {}, ...schema }: JsonSchema): JsonSchema {
  const brought = Object.keys($defs as JsonSchema).filter((id) => !(id in NAMED));
  if (brought.length > 0)
    throw new Error(
      `a schema of the API refers to itself and has no name: ${Object.keys(schema).join(', ')}`,
    );
  const text = JSON.stringify(schema, (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  );
  return JSON.parse(text) as JsonSchema;
}
