import { createServer, type ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { listenOn, type Peer } from './outbound-fixture.js';

/** How it answers when it is asked for its keys. */
export type KeyAnswer = 'keys' | 'status_500' | 'redirect' | 'huge' | 'silent' | 'not_json' | 'no_keys';

interface SigningKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

const HUGE_BYTES = 1024 * 1024;

async function newKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A real HTTP server that publishes keys as an identity provider does, and signs tokens with them. */
export class IdentityPeer {
  answer: KeyAnswer = 'keys';
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  published: JWK[] = [];
  /** What its OpenID configuration says instead of the truth. */
  configuration: { issuer?: string; jwks_uri?: string } = {};
  #peer!: Peer;
  #key!: SigningKey;

  static async start(alg = 'ES256'): Promise<IdentityPeer> {
    const made = new IdentityPeer();
    made.#peer = await listenOn(createServer((request, response) => made.#take(request.url ?? '', response)));
    await made.rotate('key-1', alg);
    return made;
  }

  get issuer(): string {
    return this.#peer.url;
  }

  get jwksUrl(): string {
    return `${this.issuer}/keys`;
  }

  get keyRequests(): number {
    return this.asked.filter((path) => path === '/keys').length;
  }

  /** Signs with another key from now on. What it publishes is that key alone, or what it published before too. */
  async rotate(kid: string, alg = 'ES256', { keeps = false } = {}): Promise<void> {
    this.#key = await newKey(kid, alg);
    this.published = [...(keeps ? this.published : []), this.#key.jwk];
  }

  /** An access token of this provider, but for what is changed. A claim that is undefined is left out. */
  token(
    claims: JWTPayload & Record<string, unknown> = {},
    header: Record<string, unknown> = {},
    nowMs = Date.now(),
  ): Promise<string> {
    const now = Math.floor(nowMs / 1000);
    const all = { iss: this.issuer, aud: 'plinth', sub: 'ada', iat: now, exp: now + 300, ...claims };
    const { kid, alg, privateKey } = this.#key;
    return new SignJWT(JSON.parse(JSON.stringify(all)) as JWTPayload)
      .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
      .sign(privateKey);
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  #take(path: string, response: ServerResponse): void {
    this.asked.push(path);
    const json = (body: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (path === '/.well-known/openid-configuration')
      json({ issuer: this.issuer, jwks_uri: this.jwksUrl, ...this.configuration });
    else if (path !== '/keys') response.writeHead(404).end();
    else if (this.answer === 'keys') json({ keys: this.published });
    else if (this.answer === 'no_keys') json({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'key-1' }] });
    else if (this.answer === 'not_json') response.end('<html>');
    else if (this.answer === 'status_500') response.writeHead(500).end();
    else if (this.answer === 'redirect')
      response.writeHead(302, { location: `${this.issuer}/elsewhere` }).end();
    else if (this.answer === 'huge') response.end(' '.repeat(HUGE_BYTES));
    // `silent`: never.
  }
}
