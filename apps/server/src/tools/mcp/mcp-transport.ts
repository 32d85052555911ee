import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { McpTransport } from '@plinth/protocol';
import { boundedFetch, type OnStreamEnd } from './bounded-fetch.js';
import type { Carrier } from './guarded-fetch.js';
import { TOO_LARGE } from './mcp-failure.js';
import { StdioTransport } from './stdio-transport.js';

export interface TransportPorts {
  /** Puts the tenant's secrets in the place of `{{secrets.NAME}}`. @throws McpFailure when one is not there */
  fillIn(text: string): Promise<string>;
  /** Makes what carries the requests of an HTTP transport. */
  carrier(): Carrier;
}

export interface OpenedTransport {
  transport: Transport;
  /** What the process of a stdio server wrote to its error output, its last characters. */
  errorOutput(): string;
  /** Ends the session on the server's side too, where there is one. */
  endSession(): Promise<void>;
  /** Lets go of what stays when the transport is closed. */
  release(): void;
}

/** Makes the transport of a server. Nothing is opened yet. */
export async function makeTransport(spec: McpTransport, ports: TransportPorts): Promise<OpenedTransport> {
  return spec.kind === 'stdio' ? stdio(spec, ports) : http(spec, ports);
}

async function stdio(
  spec: Extract<McpTransport, { kind: 'stdio' }>,
  { fillIn }: TransportPorts,
): Promise<OpenedTransport> {
  const { command, args } = spec;
  const transport = new StdioTransport({ command, args, env: await filledIn(spec.env, fillIn) });
  return {
    transport,
    errorOutput: () => transport.errorOutput,
    endSession: async () => {},
    release: () => {},
  };
}

async function http(
  spec: Extract<McpTransport, { kind: 'streamable_http' }>,
  { fillIn, carrier }: TransportPorts,
): Promise<OpenedTransport> {
  const headers = await filledIn(spec.headers, fillIn);
  const { auth } = spec;
  if (auth.kind === 'bearer') headers.authorization = `Bearer ${await fillIn(auth.token)}`;
  const authProvider =
    auth.kind === 'oauth_client_credentials'
      ? new ClientCredentialsProvider({
          clientId: auth.clientId,
          clientSecret: await fillIn(auth.clientSecret),
          expectedIssuer: auth.issuer,
          ...(auth.scope === undefined ? {} : { scope: auth.scope }),
        })
      : undefined;
  const carries = carrier();
  // The answer that will not come any more. Had it come already, nobody waits for this one.
  const onStreamEnd: OnStreamEnd = (id, why) =>
    transport.onmessage?.({
      jsonrpc: '2.0',
      id,
      error: { code: why === 'too_large' ? TOO_LARGE : ErrorCode.ConnectionClosed, message: why },
    });
  const transport = new StreamableHTTPClientTransport(new URL(spec.url), {
    requestInit: { headers },
    fetch: boundedFetch(carries.fetch, onStreamEnd),
    ...(authProvider === undefined ? {} : { authProvider }),
  });
  return {
    transport: transport as Transport,
    errorOutput: () => '',
    endSession: () => transport.terminateSession(),
    release: () => carries.close(),
  };
}

async function filledIn(
  values: Record<string, string>,
  fillIn: TransportPorts['fillIn'],
): Promise<Record<string, string>> {
  const entries = await Promise.all(
    Object.entries(values).map(async ([name, value]) => [name, await fillIn(value)] as const),
  );
  return Object.fromEntries(entries);
}
