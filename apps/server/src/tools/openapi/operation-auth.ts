import type { OpenApiImportRequest } from '@plinth/protocol';
import { type ApiDocument, ImportProblem, isObject, resolved } from './api-document.js';
import type { ApiOperation } from './operations.js';

/** What lets a request in: templates for headers and query. */
export interface OperationAuth {
  headers: Record<string, string>;
  query: Record<string, string>;
  warnings: string[];
}

/**
 * How an operation is let in, by the first of its alternatives for which all secrets are named.
 *
 * @throws ImportProblem naming the schemes when there is none
 */
export function authOf(
  document: ApiDocument,
  { operation }: ApiOperation,
  auth: OpenApiImportRequest['auth'],
): OperationAuth {
  const security = operation.security ?? document.root.security ?? [];
  const alternatives = (Array.isArray(security) ? security : [])
    .filter(isObject)
    .map((one) => Object.keys(one));
  const named = alternatives.find(
    (names) => names.length > 0 && names.every((name) => Object.hasOwn(auth, name)),
  );
  if (named !== undefined) return joined(named.map((name) => schemeAuth(document, name, auth[name]?.secret)));
  if (alternatives.length === 0 || alternatives.some((names) => names.length === 0)) return joined([]);
  const ways = alternatives.map((names) => names.join(' with ')).join(', or ');
  throw new ImportProblem(`needs ${ways}: name a secret for it in auth (or null, to send nothing)`);
}

function schemeAuth(document: ApiDocument, name: string, secret: string | undefined): OperationAuth {
  if (secret === undefined) return joined([]);
  const components = resolved(document, document.root.components ?? {});
  const scheme = resolved(document, resolved(document, components.securitySchemes ?? {})[name]);
  const value = `{{secrets.${secret}}}`;
  const header = (text: string, warnings: string[] = []) => ({
    headers: { authorization: text },
    query: {},
    warnings,
  });
  switch (scheme.type) {
    case 'apiKey':
      if (scheme.in === 'header')
        return { headers: { [String(scheme.name)]: value }, query: {}, warnings: [] };
      if (scheme.in === 'query')
        return { headers: {}, query: { [String(scheme.name)]: value }, warnings: [] };
      return { headers: { cookie: `${String(scheme.name)}=${value}` }, query: {}, warnings: [] };
    case 'http': {
      const kind = String(scheme.scheme).toLowerCase();
      if (kind === 'bearer') return header(`Bearer ${value}`);
      if (kind === 'basic')
        return header(`Basic ${value}`, [`the secret ${secret} must be user:password in base64`]);
      throw new ImportProblem(`needs the HTTP authentication "${kind}", which is not supported`);
    }
    case 'oauth2':
    case 'openIdConnect':
      return header(`Bearer ${value}`, [`the secret ${secret} must be an access token; it is not renewed`]);
    default:
      throw new ImportProblem(`needs the security scheme "${name}" of a type that is not supported`);
  }
}

const joined = (parts: OperationAuth[]): OperationAuth => ({
  headers: Object.assign({}, ...parts.map(({ headers }) => headers)),
  query: Object.assign({}, ...parts.map(({ query }) => query)),
  warnings: parts.flatMap(({ warnings }) => warnings),
});
