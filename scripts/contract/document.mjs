/** The API document of the compiled server, as text: without an address, which is the business of each installation. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../lib/paths.mjs';

/** Where it is committed: what has changed in the API is seen in review. */
export const CONTRACT = 'api-surface/openapi.json';

const built = (path) => import(pathToFileURL(join(root, 'apps/server/dist/platform', path)).href);

export async function documentText() {
  const { controllersOf } = await built('wiring/app.module.js');
  const { openApiDocument } = await built('openapi/document.js');
  const { servers: _servers, ...document } = openApiDocument(controllersOf({ servesApi: true }), '');
  return `${JSON.stringify(document, null, 1)}\n`;
}
