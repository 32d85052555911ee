/** A document as they are in the world: 3.0, in YAML, with references, a recursive schema and odd corners. */
export const PETSTORE = `
openapi: 3.0.3
info: { title: Petstore, version: 1.0.0 }
servers:
  - url: https://{region}.pets.example/v1/
    variables: { region: { default: eu } }
security:
  - key: []
paths:
  /pets:
    parameters:
      - { $ref: '#/components/parameters/Limit' }
    get:
      operationId: listPets
      summary: List pets
      description: All of them.
      parameters:
        - { name: tags, in: query, schema: { type: array, items: { type: string } } }
        - { name: ids, in: query, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: filter, in: query, style: deepObject, schema: { type: object } }
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: Accept, in: header, schema: { type: string } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array } } } } }
    post:
      operationId: createPet
      summary: Create a pet
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Pet' } }
      responses: { '201': { description: created } }
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, description: Which pet., schema: { type: integer, minimum: 0, exclusiveMinimum: true } }
    get:
      operationId: pets/show-one
      responses: { '200': { description: ok } }
    delete:
      deprecated: true
      security: [{ key: [], login: [] }, {}]
      responses: { '204': { description: gone } }
  /pets/{petId}/photo:
    parameters:
      - { name: petId, in: path, required: true, schema: { type: integer } }
    put:
      operationId: uploadPhoto
      requestBody: { required: true, content: { multipart/form-data: { schema: { type: object } } } }
      responses: { '204': { description: done } }
  /search:
    post:
      operationId: search
      security: []
      requestBody:
        content:
          application/x-www-form-urlencoded: { schema: { type: object, properties: { q: { type: string, nullable: true } } } }
      responses: { '200': { description: ok } }
  /elsewhere:
    get: { operationId: elsewhere, parameters: [{ $ref: 'other.yaml#/Limit' }], responses: {} }
  /lost:
    get: { operationId: lost, parameters: [{ $ref: '#/components/parameters/None' }], responses: {} }
  /by/{nothing}:
    get: { operationId: byNothing, responses: {} }
  /cookie:
    get:
      operationId: cookie
      parameters: [{ name: session, in: cookie, required: true, schema: { type: string } }]
      responses: {}
  /events:
    get:
      operationId: events
      responses: { '200': { description: ok, content: { text/event-stream: {} } } }
  /ping:
    head: { operationId: ping, responses: {} }
  /admin:
    get: { operationId: admin, security: [{ login: [] }], responses: {} }
components:
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer, maximum: 100, example: 10 } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Api-Key }
    login: { type: http, scheme: basic }
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, nullable: true, example: Rex }
        example: { type: string }
        mother: { $ref: '#/components/schemas/Pet' }
        kind: { type: string, enum: [cat, dog], nullable: true }
`;
