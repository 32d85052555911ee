import type { JsonObject } from '@plinth/protocol';
import { type ApiDocument, ImportProblem, isObject, resolved } from './api-document.js';

/** An operation of the document with what its path says for all of its methods. */
export interface ApiOperation {
  /** Its `operationId`, else "GET /path". */
  id: string;
  method: string;
  path: string;
  operation: JsonObject;
  pathItem: JsonObject;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Every operation, in the order of the document. */
export function operationsOf(document: ApiDocument): ApiOperation[] {
  const paths = isObject(document.root.paths) ? document.root.paths : {};
  return Object.entries(paths).flatMap(([path, written]) => {
    if (path.startsWith('x-')) return [];
    const pathItem = pathItemOf(document, written as JsonObject);
    return METHODS.flatMap((name) => {
      const operation = pathItem[name];
      if (!isObject(operation)) return [];
      const method = name.toUpperCase();
      const { operationId } = operation;
      const id = typeof operationId === 'string' && operationId !== '' ? operationId : `${method} ${path}`;
      return [{ id, method, path, operation, pathItem }];
    });
  });
}

/** A path that cannot be read has no operations. */
function pathItemOf(document: ApiDocument, written: JsonObject): JsonObject {
  try {
    return resolved(document, written);
  } catch (error) {
    if (error instanceof ImportProblem) return {};
    throw error;
  }
}
