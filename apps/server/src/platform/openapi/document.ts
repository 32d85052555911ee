import { RequestMethod as Method, type RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ERROR_STATUS, type ErrorCode } from '@plinth/protocol';
import { OPERATION, type OperationSpec } from '../http/operation.js';
import { componentSchemas, schemaOf } from './schemas.js';

type Json = Record<string, unknown>;

const jsonContent = (schema: Json, contentType = 'application/json') => ({ [contentType]: { schema } });

function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes)
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, grouped]) => [
      String(status),
      {
        description: grouped.join(', '),
        content: jsonContent({ $ref: '#/components/schemas/Problem' }, 'application/problem+json'),
      },
    ]),
  );
}

function parametersOf(path: string, spec: OperationSpec): Json[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const query = Object.entries(spec.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success,
    schema: schemaOf(schema as never),
  }));
  return [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...query,
    ...(spec.headers ?? []).map((header) => ({ ...header, in: 'header', schema: { type: 'string' } })),
  ];
}

/** A body all of whose fields may be left out may be left out itself: it is read as an empty one. */
function requestBodyOf(body: NonNullable<OperationSpec['body']>): Json {
  return { required: !body.safeParse({}).success, content: jsonContent(schemaOf(body)) };
}

function operationOf(path: string, spec: OperationSpec, operationId: string): Json {
  const parameters = parametersOf(path, spec);
  const authErrors: ErrorCode[] =
    spec.access === 'public' ? [] : ['unauthenticated', 'token_expired', 'forbidden'];
  if (spec.access === 'any') authErrors.push('identity_provider_unavailable');
  const success = spec.response
    ? { description: 'Done.', content: jsonContent(schemaOf(spec.response), spec.contentType) }
    : { description: 'Done.', ...(spec.contentType ? { content: { [spec.contentType]: {} } } : {}) };
  return {
    operationId,
    summary: spec.summary,
    ...(spec.description ? { description: spec.description } : {}),
    tags: [spec.tag],
    security:
      spec.access === 'public'
        ? []
        : spec.access === 'api_key'
          ? [{ apiKey: [] }]
          : [{ apiKey: [] }, { sessionToken: [] }, { accessToken: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(spec.body ? { requestBody: requestBodyOf(spec.body) } : {}),
    ...(spec.bodyType ? { requestBody: { required: true, content: { [spec.bodyType]: {} } } } : {}),
    responses: { [spec.status]: success, ...errorResponses([...authErrors, ...spec.errors]) },
  };
}

/** `/v1/threads/:id` as OpenAPI writes it: `/v1/threads/{id}`. */
function openApiPath(controller: Type, handler: object): string {
  const parts = [Reflect.getMetadata(PATH_METADATA, controller), Reflect.getMetadata(PATH_METADATA, handler)];
  const joined = parts.map((part) => String(part ?? '').replace(/^\/|\/$/g, '')).filter(Boolean);
  return `/${joined.join('/').replace(/:(\w+)/g, '{$1}')}`;
}

/** The OpenAPI 3.1 document, read off the controllers that the process serves. */
export function openApiDocument(controllers: readonly Type[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const controller of controllers) {
    for (const name of Object.getOwnPropertyNames(controller.prototype)) {
      const handler: unknown = controller.prototype[name];
      if (typeof handler !== 'function') continue;
      const spec: OperationSpec | undefined = Reflect.getMetadata(OPERATION, handler);
      if (!spec) continue;
      const path = openApiPath(controller, handler);
      const method = Method[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod].toLowerCase();
      paths[path] = {
        ...paths[path],
        [method]: operationOf(path, spec, `${name}${controller.name.replace(/Controller$/, '')}`),
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plinth API',
      version: '0.1.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: "A business back end's API key (`plk_...`). Never send it to a browser.",
        },
        sessionToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A short-lived token for one end user.',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: "A person's access token of an identity provider that the tenant has set up.",
        },
      },
    },
  };
}
