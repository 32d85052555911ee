import { type JsonObject, type JsonValue, PlinthError } from '@plinth/protocol';
import { CORE_SCHEMA, load } from 'js-yaml';

/** An OpenAPI document, as it is written: nothing of it is resolved yet. */
export interface ApiDocument {
  root: JsonObject;
  /** 3.0 has a schema dialect of its own; 3.1 has JSON Schema 2020-12. */
  dialect: '3.0' | '3.1';
  /** Where it was read from, which relative server URLs are relative to. */
  url: string | null;
}

/** Something in the document that keeps one operation from becoming a tool. */
export class ImportProblem extends Error {}

const REFERENCE_CHAIN = 20;
/** Characters. Reading YAML takes twenty times as long as JSON, and holds up everything else meanwhile. */
const LONGEST_YAML = 1_000_000;
const MOST_MEMBERS = 500_000;

/** @throws PlinthError `invalid_request`, naming `document` */
export function readDocument(source: string | JsonObject, url: string | null): ApiDocument {
  const root = typeof source === 'string' ? parseText(source) : source;
  const version = isObject(root) ? root.openapi : undefined;
  if (!isObject(root) || typeof version !== 'string' || !/^3\.[01]\./.test(version)) {
    const isSwagger = isObject(root) && typeof root.swagger === 'string';
    throw refused(
      isSwagger
        ? 'is Swagger 2.0. Convert it to OpenAPI 3 first'
        : 'is no OpenAPI 3.0 or 3.1: its member "openapi" must begin with 3.0 or 3.1',
    );
  }
  if (!isObject(root.paths)) throw refused('has no "paths"');
  return { root, dialect: version.startsWith('3.0') ? '3.0' : '3.1', url };
}

function parseText(text: string): JsonValue {
  return parsedJson(text) ?? parsedYaml(text);
}

function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function parsedYaml(text: string): JsonValue {
  if (text.length > LONGEST_YAML)
    throw refused(`is YAML of more than ${LONGEST_YAML} characters: send it as JSON`);
  try {
    return plainJson(load(text, { schema: CORE_SCHEMA }));
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw refused(`is neither JSON nor YAML: ${why?.slice(0, 200)}`);
  }
}

/** Aliases of YAML written out as what they stand for, up to a bound: a short text can stand for a huge document. */
function plainJson(value: unknown): JsonValue {
  let members = 0;
  const json = JSON.stringify(value, (_key, member: unknown) => {
    members += 1;
    if (members > MOST_MEMBERS) throw new Error(`it stands for more than ${MOST_MEMBERS} values`);
    return member;
  });
  return JSON.parse(json ?? 'null') as JsonValue;
}

/** What stands at a reference of the same document, or the value itself when it is none. @throws ImportProblem */
export function resolved(document: ApiDocument, value: JsonValue | undefined): JsonObject {
  let at = value;
  for (let step = 0; isObject(at) && typeof at.$ref === 'string'; step += 1) {
    if (step === REFERENCE_CHAIN)
      throw new ImportProblem(`has a reference that leads round in a circle: ${at.$ref}`);
    at = atReference(document, at.$ref);
  }
  if (!isObject(at)) throw new ImportProblem('has a part that is not an object where the standard wants one');
  return at;
}

/** @throws ImportProblem when it leads out of the document, or to nothing */
export function atReference({ root }: ApiDocument, reference: string): JsonValue {
  if (!reference.startsWith('#'))
    throw new ImportProblem(`refers to another document (${reference.slice(0, 200)}), which is not read`);
  let at: JsonValue | undefined = root;
  for (const escaped of reference.slice(1).split('/').slice(1)) {
    const step = decoded(escaped).replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere: boolean = typeof at === 'object' && at !== null && Object.hasOwn(at, step);
    at = isThere ? (at as JsonObject)[step] : undefined;
  }
  if (at === undefined)
    throw new ImportProblem(`refers to ${reference.slice(0, 200)}, which is not in the document`);
  return at;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refused(message: string): PlinthError {
  const fields = [{ path: 'document', message }];
  return new PlinthError('invalid_request', `Nothing was imported. The document ${message}.`, {}, fields);
}
