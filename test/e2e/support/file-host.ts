import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service outside of the platform whose answers are files: what an `http` tool of a business calls. */
export interface FileHost {
  readonly url: string;
  readonly host: string;
  /** The paths that it was asked for. */
  readonly asked: readonly string[];
  serve(name: string, file: ServedFile): void;
  close(): Promise<void>;
}

export interface ServedFile {
  bytes: Uint8Array;
  contentType: string;
}

export async function startFileHost(): Promise<FileHost> {
  const files = new Map<string, ServedFile>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    const file = files.get(name);
    if (file === undefined) response.writeHead(404).end();
    else
      response
        .writeHead(200, {
          'content-type': file.contentType,
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        })
        .end(file.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    asked,
    serve: (name, file) => void files.set(name, file),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
