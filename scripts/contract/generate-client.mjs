/** Writes the types of `@plinth/client/server` from the committed API document, when that changed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { fingerprintOf, isFresh, writeStamp } from '../lib/stamps.mjs';
import { CONTRACT } from './document.mjs';

const OUTPUT = 'packages/client/src/server/generated/api.ts';
const STAMP = 'client-types';
const THIS = 'scripts/contract/generate-client.mjs';

/** Returns whether there was something to do. */
export async function generateClient({ log }) {
  const fingerprint = fingerprintOf([CONTRACT, THIS, 'packages/client/package.json']);
  if (existsSync(join(root, OUTPUT)) && isFresh(STAMP, fingerprint)) return false;
  log('Generating the types of the API');
  const text = await typesOf(JSON.parse(readFileSync(join(root, CONTRACT), 'utf8')));
  mkdirSync(dirname(join(root, OUTPUT)), { recursive: true });
  writeFileSync(join(root, OUTPUT), text);
  writeStamp(STAMP, fingerprint);
  return true;
}

/** The generator belongs to the client package, which has the version of the compiler that it is made for. */
async function typesOf(document) {
  const require = createRequire(join(root, 'packages/client/package.json'));
  const { default: openapiTS, astToString } = require('openapi-typescript');
  const { factory } = require('typescript');
  // The member of an interface cannot be a type that refers to itself; an alias can.
  const transform = (_schema, { path }) =>
    path === '#/components/schemas/JsonValue' ? factory.createTypeReferenceNode('JsonValue') : undefined;
  const inject = "import type { JsonValue } from '@plinth/protocol';\n\n";
  const nodes = await openapiTS(document, {
    alphabetize: true,
    defaultNonNullable: false,
    transform,
    inject,
  });
  return astToString(nodes);
}
