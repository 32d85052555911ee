import { z } from 'zod';
import { page } from './requests.js';

export const identityProviderKey = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'lower-case letters, digits and -, at most 32, starting with a letter');

/** Signatures with a public key. What a secret signs (HS*) and what nothing signs (none) is never taken. */
export const TOKEN_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

const asciiText = (most: number) =>
  z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${most}}$`), `1 to ${most} ASCII characters without blanks`);

const claimName = z.string().min(1).max(200);
const claimPath = z
  .union([claimName, z.array(claimName).min(1).max(5)])
  .describe('The name of a claim, or the names that lead to one within others: `["realm_access","roles"]`.');
export type ClaimPath = z.infer<typeof claimPath>;

const claimCondition = z
  .strictObject({ claim: claimPath, value: z.union([z.string().min(1).max(200), z.number(), z.boolean()]) })
  .describe('Holds when the claim is the value, is a list with it, or a text that has it between blanks.');
export type ClaimCondition = z.infer<typeof claimCondition>;

/** An identity provider of a tenant: whose access tokens its pages may send, and what these may do. */
export const identityProviderDefinition = z.strictObject({
  issuer: asciiText(300).describe('`iss` of its tokens, character by character: an https URL.'),
  audience: asciiText(300).describe(
    '`aud` of its tokens: your own API at the provider. A token without `aud` is taken by its `client_id`. No two configurations of the platform have the same issuer and audience.',
  ),
  jwksUrl: asciiText(500)
    .optional()
    .describe('Where its public keys are. Default: as the OpenID configuration of the issuer says.'),
  algorithms: z
    .array(z.enum(TOKEN_ALGORITHMS))
    .min(1)
    .max(TOKEN_ALGORITHMS.length)
    .default([...TOKEN_ALGORITHMS])
    .describe('Signatures that are taken. Default all of them.'),
  clockToleranceSeconds: z
    .number()
    .int()
    .min(0)
    .max(120)
    .default(30)
    .describe('Seconds by which the clock of the provider may differ, 0 to 120. Default 30.'),
  maxAgeSeconds: z
    .number()
    .int()
    .min(60)
    .max(86_400)
    .default(86_400)
    .describe(
      'Seconds since `iat` after which a token is expired, whatever its `exp`. 60 to 86400, the default.',
    ),
  requiredClaims: z
    .array(claimCondition)
    .max(20)
    .default([])
    .describe(
      'What every token must say, to tell access tokens from others: `{"claim":"token_use","value":"access"}`.',
    ),
  endUser: z
    .strictObject({
      claim: claimPath.default('sub'),
      prefix: z
        .string()
        .max(64)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must have no control characters')
        .optional()
        .describe(
          'Stands before the claim in the id of the end user, so that people of two providers never meet. Default: the key of the provider and a colon. Empty: your back end names the same people by the same ids.',
        ),
    })
    .default({ claim: 'sub' })
    .describe('Who the person is.'),
  agents: z
    .union([
      z.literal('any'),
      z.array(z.string().min(1).max(64)).min(1).max(100),
      z.strictObject({ claim: claimPath }),
    ])
    .default('any')
    .describe('Which agents its people start: any, these, or those that a claim names.'),
  scopes: z
    .strictObject({
      runs: z.union([z.literal(true), claimCondition]).default(true),
      debug: z.union([z.boolean(), claimCondition]).default(false),
    })
    .default({ runs: true, debug: false })
    .describe(
      'What its people may do: always, or when their token says so. Never more than a session token.',
    ),
});
export type IdentityProviderDefinition = z.infer<typeof identityProviderDefinition>;

export const putIdentityProviderRequest = identityProviderDefinition.extend({
  expectedRevision: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The revision that the change was made on, 0 for none. Another one by now: 409.'),
});

export const identityProviderView = identityProviderDefinition.extend({
  key: z.string(),
  revision: z.number().int().describe('Grows with every change.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type IdentityProviderView = z.infer<typeof identityProviderView>;

export const identityProviderPage = page(identityProviderView);

/** What came of fetching the keys of a provider. */
export const identityProviderCheck = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    keys: z.array(z.object({ kid: z.string().nullable(), kty: z.string(), alg: z.string().nullable() })),
  }),
  z.object({ ok: z.literal(false), reason: z.string(), detail: z.string() }),
]);
export type IdentityProviderCheck = z.infer<typeof identityProviderCheck>;
