import type { JsonObject, JsonValue } from '@plinth/protocol';
import { type ApiDocument, ImportProblem, isObject, resolved } from './api-document.js';
import { SchemaConverter } from './convert-schema.js';
import type { ApiOperation } from './operations.js';

/** What the model gives for an operation, and where it goes in the request. */
export interface OperationInputs {
  /** JSON Schema of the tool's arguments. */
  parameters: JsonObject;
  path: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  body: { value: string; as: 'json' | 'form' | 'text' } | null;
  warnings: string[];
}

type Place = 'path' | 'query' | 'header' | 'cookie';
/** Parameters of these names say nothing (OpenAPI 3.1, Parameter Object). */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/** @throws ImportProblem when a request could not be made without something that is not supported */
export function inputsOf(document: ApiDocument, of: ApiOperation): OperationInputs {
  const schemas = new SchemaConverter(document);
  const properties: JsonObject = {};
  const required: string[] = [];
  const inputs: OperationInputs = {
    parameters: {},
    path: of.path,
    headers: {},
    query: {},
    body: null,
    warnings: [],
  };
  const add = (name: string, place: string, schema: JsonValue, isRequired: boolean): string => {
    const plain = name.replace(/[^A-Za-z0-9_.-]/g, '_');
    const argument = Object.hasOwn(properties, plain) ? `${place}_${plain}` : plain;
    properties[argument] = schema;
    if (isRequired) required.push(argument);
    return argument;
  };

  for (const parameter of parametersOf(document, of)) {
    const { place, name } = parameter;
    if (place === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) continue;
    const why = unsupported(document, parameter);
    if (why !== null && parameter.isRequired)
      throw new ImportProblem(`has the required ${place} parameter "${name}" ${why}`);
    if (why !== null) {
      inputs.warnings.push(`the ${place} parameter "${name}" ${why}, and is left out`);
      continue;
    }
    const schema = described(schemas.convert(parameter.schema), parameter.description);
    const text = placeholder(add(name, place, schema, parameter.isRequired), isJoined(parameter));
    if (place === 'path') inputs.path = inputs.path.replaceAll(`{${name}}`, text);
    else if (place === 'query') inputs.query[name] = text;
    else inputs.headers[name] = text;
  }
  const left = /\{(?!\{)([^{}]+)\}(?!\})/.exec(inputs.path)?.[1];
  if (left !== undefined) throw new ImportProblem(`does not describe the path parameter "${left}"`);

  const body = bodyOf(document, of);
  if (body !== null) {
    const argument = add(
      'body',
      'request',
      described(schemas.convert(body.schema), body.description),
      body.isRequired,
    );
    inputs.body = { value: placeholder(argument, false), as: body.as };
    if (body.mediaType !== null) inputs.headers['content-type'] = body.mediaType;
  }
  const $defs = schemas.definitions;
  inputs.parameters = {
    type: 'object',
    properties,
    required,
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 ? { $defs } : {}),
  };
  return inputs;
}

interface ApiParameter {
  place: Place;
  name: string;
  schema: JsonValue | undefined;
  description: JsonValue | undefined;
  isRequired: boolean;
  style: string;
  explode: boolean;
  hasContent: boolean;
}

/** Those of the operation, and those of its path that it does not replace. */
function parametersOf(document: ApiDocument, { operation, pathItem }: ApiOperation): ApiParameter[] {
  const found = new Map<string, ApiParameter>();
  for (const list of [pathItem.parameters, operation.parameters]) {
    for (const written of Array.isArray(list) ? list : []) {
      const {
        name,
        in: place,
        schema,
        description,
        required,
        style,
        explode,
        content,
      } = resolved(document, written);
      if (typeof name !== 'string' || !['path', 'query', 'header', 'cookie'].includes(String(place)))
        throw new ImportProblem('has a parameter without a name or a place');
      const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
      const styled = typeof style === 'string' ? style : usual;
      found.set(`${String(place)} ${name}`, {
        place: place as Place,
        name,
        schema,
        description,
        isRequired: place === 'path' || required === true,
        style: styled,
        explode: typeof explode === 'boolean' ? explode : styled === 'form',
        hasContent: content !== undefined,
      });
    }
  }
  return [...found.values()];
}

/** Null when the parameter can be sent. */
function unsupported(
  document: ApiDocument,
  { place, style, schema, hasContent }: ApiParameter,
): string | null {
  if (place === 'cookie') return 'goes into a cookie, which is not supported';
  if (hasContent) return 'is described by content, which is not supported';
  if (style !== (place === 'query' ? 'form' : 'simple'))
    return `has the style ${style}, which is not supported`;
  const type = schema === undefined ? undefined : typeOf(document, schema);
  return type === 'object' ? `is an object in the style ${style}, which is not supported` : null;
}

/** A list in one text: always in path and headers, in a query when it does not explode. */
const isJoined = ({ place, explode }: ApiParameter) => place !== 'query' || !explode;

function typeOf(document: ApiDocument, schema: JsonValue): JsonValue | undefined {
  return isObject(schema) ? resolved(document, schema).type : undefined;
}

function bodyOf(document: ApiDocument, { operation, method }: ApiOperation) {
  if (operation.requestBody === undefined || method === 'GET') return null;
  const { content, required, description } = resolved(document, operation.requestBody);
  const types = isObject(content) ? Object.keys(content) : [];
  const isJson = (type: string) => /^application\/(json|[^;]*\+json)\b/i.test(type) || type === '*/*';
  const json = types.find(isJson);
  const form = types.find((type) => /^application\/x-www-form-urlencoded\b/i.test(type));
  const text = types.find((type) => /^text\/plain\b/i.test(type));
  const chosen = json ?? form ?? text;
  if (chosen === undefined || !isObject(content)) {
    if (required !== true && types.length === 0) return null;
    throw new ImportProblem(
      `takes a body of the type ${types.join(' or ') || '(none)'}, which cannot be sent`,
    );
  }
  const as = chosen === json ? ('json' as const) : chosen === form ? ('form' as const) : ('text' as const);
  return {
    schema: resolved(document, content[chosen]).schema,
    description,
    isRequired: required === true,
    as,
    mediaType: as === 'json' && !/^(application\/json|\*\/\*)$/i.test(chosen) ? chosen : null,
  };
}

function described(schema: JsonValue, description: JsonValue | undefined): JsonValue {
  if (typeof description !== 'string' || !isObject(schema) || 'description' in schema) return schema;
  return { ...schema, description };
}

function placeholder(argument: string, joined: boolean): string {
  const step = /^[A-Za-z_][\w-]*$/.test(argument) ? `.${argument}` : `[${JSON.stringify(argument)}]`;
  return `{{args${step}${joined ? ' | list' : ''}}}`;
}
