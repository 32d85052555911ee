import { validateAgainst } from '@plinth/engine';
import { type JsonObject, openApiImportRequest } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { readDocument } from './api-document.js';
import { keyOf, type OperationTool, toolOf } from './operation-tool.js';
import { operationsOf } from './operations.js';
import { PETSTORE } from './petstore.test-support.js';

const AUTH = { key: { secret: 'PETS_KEY' } };
function importing(
  source: string | JsonObject = PETSTORE,
  changes: object = {},
): Record<string, OperationTool> {
  const document = readDocument(source, null);
  const request = openApiImportRequest.parse({ document: source, auth: AUTH, ...changes });
  return Object.fromEntries(operationsOf(document).map((of) => [of.id, toolOf(document, of, request)]));
}
const definitionOf = (id: string, changes: object = {}) => {
  const tool = importing(PETSTORE, changes)[id];
  if (!tool?.ok) throw new Error(`${id}: ${JSON.stringify(tool)}`);
  return tool.definition as JsonObject & { parameters: JsonObject; executor: JsonObject };
};

describe('an operation of an OpenAPI document', () => {
  test('becomes a tool with its parameters in their places and its secret by reference', () => {
    const tool = definitionOf('listPets', { prefix: 'zoo' });
    expect(tool).toMatchObject({
      key: 'zoo_listPets',
      title: 'List pets',
      description: 'List pets\n\nAll of them.',
      requireConfirmation: 'never',
      idempotent: true,
      executor: {
        kind: 'http',
        method: 'GET',
        url: 'https://eu.pets.example/v1/pets',
        headers: { 'X-Trace': '{{args.X-Trace | list}}', 'X-Api-Key': '{{secrets.PETS_KEY}}' },
        query: { limit: '{{args.limit}}', tags: '{{args.tags}}', ids: '{{args.ids | list}}' },
      },
    });
    expect(Object.keys(tool.parameters.properties as object)).toEqual(['limit', 'tags', 'ids', 'X-Trace']);
  });

  test('that writes is confirmed by a person, unless the import says otherwise', () => {
    expect(definitionOf('createPet')).toMatchObject({ requireConfirmation: 'always', idempotent: false });
    expect(definitionOf('createPet', { requireConfirmation: 'never' }).requireConfirmation).toBe('never');
    expect(definitionOf('listPets', { requireConfirmation: 'always' }).requireConfirmation).toBe('always');
  });

  test('takes its body by a schema that may refer to itself, in JSON Schema 2020-12', () => {
    const { parameters, executor } = definitionOf('createPet');
    expect(executor).toMatchObject({ method: 'POST', body: '{{args.body}}', bodyAs: 'json' });
    expect(parameters).toMatchObject({ required: ['body'], properties: { body: { $ref: '#/$defs/Pet' } } });
    expect((parameters.$defs as JsonObject).Pet).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: ['string', 'null'] },
        example: { type: 'string' },
        mother: { $ref: '#/$defs/Pet' },
        kind: { type: ['string', 'null'], enum: ['cat', 'dog', null] },
      },
    });
    expect(
      validateAgainst(parameters, { body: { name: null, kind: null, mother: { name: 'Ria' } } }),
    ).toEqual([]);
    expect(validateAgainst(parameters, { body: { name: 'Rex', mother: { name: 7 } } })).not.toEqual([]);
  });

  test('has what its path says for all methods, with the bounds of 3.0 translated', () => {
    const { key, parameters, executor } = definitionOf('pets/show-one');
    expect(key).toBe('pets_show-one');
    expect(executor.url).toBe('https://eu.pets.example/v1/pets/{{args.petId | list}}');
    expect(parameters.properties).toEqual({
      petId: { type: 'integer', exclusiveMinimum: 0, description: 'Which pet.' },
    });
  });

  test('without an id is named by method and path; without a summary it is described by them', () => {
    expect(definitionOf('DELETE /pets/{petId}')).toMatchObject({
      key: 'DELETE_pets_petId',
      description: 'DELETE /pets/{petId}',
    });
  });

  test('is let in by the first alternative for which secrets are named, and needs none where the document says so', () => {
    expect(definitionOf('DELETE /pets/{petId}').executor.headers).toEqual({});
    const both = { auth: { ...AUTH, login: { secret: 'LOGIN' } } };
    expect(definitionOf('DELETE /pets/{petId}', both).executor.headers).toEqual({
      'X-Api-Key': '{{secrets.PETS_KEY}}',
      authorization: 'Basic {{secrets.LOGIN}}',
    });
    expect(definitionOf('listPets', { auth: { key: null } }).executor.headers).not.toHaveProperty(
      'X-Api-Key',
    );
  });

  test('sends a form as one', () => {
    const { executor, parameters } = definitionOf('search');
    expect(executor).toMatchObject({ bodyAs: 'form', body: '{{args.body}}', headers: {} });
    expect(parameters.required).toEqual([]);
  });

  test('is called where the import says', () => {
    expect(definitionOf('listPets', { baseUrl: 'http://127.0.0.1:9/api/' }).executor.url).toBe(
      'http://127.0.0.1:9/api/pets',
    );
  });

  test('warns of an optional parameter that it leaves out, of a deprecation and of what a secret must hold', () => {
    const tools = importing(PETSTORE, { auth: { ...AUTH, login: { secret: 'LOGIN' } } });
    expect(tools.listPets).toMatchObject({
      warnings: [
        'the query parameter "filter" has the style deepObject, which is not supported, and is left out',
      ],
    });
    expect(tools['DELETE /pets/{petId}']).toMatchObject({
      warnings: ['the secret LOGIN must be user:password in base64', 'the operation is deprecated'],
    });
  });

  test.each([
    ['uploadPhoto', 'multipart/form-data'],
    ['elsewhere', 'refers to another document (other.yaml#/Limit)'],
    ['lost', '#/components/parameters/None, which is not in the document'],
    ['byNothing', 'path parameter "nothing"'],
    ['cookie', 'required cookie parameter "session"'],
    ['events', 'event stream'],
    ['ping', 'is HEAD'],
    ['admin', 'needs login: name a secret for it in auth'],
  ])('%s is no tool, and says why', (id, reason) => {
    expect(importing()[id]).toMatchObject({ ok: false, reasons: [expect.stringContaining(reason)] });
  });

  test('with schemas beyond all measure is no tool', () => {
    const many = Object.fromEntries(
      Array.from({ length: 4000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    const body = { content: { 'application/json': { schema: { type: 'object', properties: many } } } };
    const tools = importing(
      {
        openapi: '3.1.0',
        servers: [{ url: 'https://a.example' }],
        paths: { '/': { post: { operationId: 'big', requestBody: body } } },
      },
      {},
    );
    expect(tools.big).toMatchObject({ ok: false, reasons: [expect.stringContaining('3000 parts')] });
  });

  test('without a whole server URL is a tool only when the import names one', () => {
    const source = {
      openapi: '3.1.0',
      servers: [{ url: '/api' }],
      paths: { '/x': { get: { operationId: 'x' } } },
    };
    expect(importing(source).x).toMatchObject({
      ok: false,
      reasons: [expect.stringContaining('give baseUrl')],
    });
    expect(importing(source, { baseUrl: 'https://a.example/api' }).x).toMatchObject({ ok: true });
  });
});

describe('a document', () => {
  test.each([
    ['{ not: [closed', 'neither JSON nor YAML'],
    ['just text', 'no OpenAPI 3.0 or 3.1'],
    ['swagger: "2.0"', 'Swagger 2.0'],
    ['openapi: 4.0.0\npaths: {}', 'no OpenAPI 3.0 or 3.1'],
    ['openapi: 3.1.0', 'has no "paths"'],
    [
      `openapi: 3.1.0\npaths: {}\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`)
        .join('\n')}`,
      'stands for more than 500000 values',
    ],
  ])('that cannot be read is refused: %#', (text, reason) => {
    expect(() => readDocument(text, null)).toThrow(reason);
  });

  test('in JSON or in YAML is the same', () => {
    const inYaml = readDocument(PETSTORE, null);
    expect(readDocument(JSON.stringify(inYaml.root), null)).toEqual(inYaml);
  });
});

test.each([
  ['getPet', '', 'getPet'],
  ['pets.get one!', 'zoo', 'zoo_pets_get_one'],
  ['42', '', 'operation'],
  ['x'.repeat(80), 'p', `p_${'x'.repeat(62)}`],
])('the key of %s with the prefix "%s" is %s', (id, prefix, key) => {
  expect(keyOf(id, prefix)).toBe(key);
});
