import type { JsonValue } from '@plinth/protocol';
import { type ApiDocument, ImportProblem, isObject } from './api-document.js';
import type { ApiOperation } from './operations.js';

/** Where an operation's service is, without a slash at the end. @throws ImportProblem when the document does not say */
export function serverUrlOf(
  document: ApiDocument,
  { operation, pathItem }: ApiOperation,
  baseUrl: string | undefined,
): string {
  if (baseUrl !== undefined) return withoutSlash(baseUrl);
  const servers = [operation.servers, pathItem.servers, document.root.servers].find(
    (list): list is JsonValue[] => Array.isArray(list) && list.length > 0,
  );
  const written = withVariables(servers?.[0] ?? { url: '/' });
  const base = document.url ?? undefined;
  if (!URL.canParse(written, base)) throw new ImportProblem('has no server with a whole URL: give baseUrl');
  return withoutSlash(new URL(written, base).href);
}

function withVariables(server: JsonValue): string {
  if (!isObject(server) || typeof server.url !== 'string') return '';
  const variables = isObject(server.variables) ? server.variables : {};
  return server.url.replace(/\{([^{}]+)\}/g, (all, name: string) => {
    const variable = variables[name];
    return isObject(variable) && variable.default !== undefined ? String(variable.default) : all;
  });
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '');
