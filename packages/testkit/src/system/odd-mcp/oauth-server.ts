import type { IncomingMessage, ServerResponse } from 'node:http';

export interface OauthClient {
  clientId: string;
  clientSecret: string;
}

/** An authorization server that gives one client tokens (RFC 6749, 4.4), and what a protected resource says of it. */
export class OauthServer {
  /** Forms that came to the token endpoint. */
  readonly asked: string[] = [];
  private valid: string | null = null;
  private given = 0;

  constructor(private readonly client: OauthClient) {}

  /** From now on no token that was given is worth anything. */
  revoke(): void {
    this.valid = null;
  }

  accepts({ authorization }: IncomingMessage['headers']): boolean {
    return this.valid !== null && authorization === `Bearer ${this.valid}`;
  }

  challenge(origin: string, response: ServerResponse): void {
    const metadata = `${origin}/.well-known/oauth-protected-resource`;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
  }

  /** Answers what is for it; false when the request is for somebody else. */
  async take(origin: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const json = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const path = request.url ?? '';
    if (path.startsWith('/.well-known/oauth-protected-resource')) {
      json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
      return true;
    }
    if (path.startsWith('/.well-known/')) {
      json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      });
      return true;
    }
    if (path !== '/token') return false;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.asked.push(Buffer.concat(chunks).toString());
    const { clientId, clientSecret } = this.client;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    if (request.headers.authorization !== `Basic ${basic}`) json(401, { error: 'invalid_client' });
    else {
      this.given += 1;
      this.valid = `token-${this.given}`;
      json(200, { access_token: this.valid, token_type: 'Bearer', expires_in: 3600 });
    }
    return true;
  }
}
