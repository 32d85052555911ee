import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

/** What is used of s3rver, which comes without types: a service that speaks S3 and keeps files. */
interface S3Rver {
  configureBuckets(): Promise<unknown>;
  callback(): RequestListener;
}
const require = createRequire(import.meta.url);
const S3rver = require('s3rver') as new (options: {
  directory: string;
  silent: boolean;
  configureBuckets: { name: string; configs: string[] }[];
}) => S3Rver;

/** Another implementation of AWS Signature 4 than the one that is under test. */
const aws4 = require('aws4') as {
  sign(
    request: {
      service: string;
      region: string;
      method: string;
      path: string;
      headers: Record<string, string>;
    },
    credentials: { accessKeyId: string; secretAccessKey: string },
  ): { headers: Record<string, string> };
};

const BUCKET = 'plinth-test';
const REGION = 'us-east-1';
/** The one account that s3rver knows. */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

export interface S3Peer {
  endpoint: string;
  bucket: string;
  credentials: typeof CREDENTIALS;
  keys(): Promise<string[]>;
  remove(key: string): Promise<void>;
  write(key: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** A service that speaks S3 over HTTP, with one bucket, and the hands of its administrator. */
export async function startS3Peer(): Promise<S3Peer> {
  const directory = await mkdtemp(join(tmpdir(), 'plinth-s3-'));
  const service = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET, configs: [] }] });
  await service.configureBuckets();
  const serve = service.callback();
  const server = createServer((request, response) => {
    if (isSigned(request)) return serve(request, response);
    request.resume();
    const body = '<Error><Code>SignatureDoesNotMatch</Code><Message>It is another.</Message></Error>';
    response.writeHead(403, { 'content-type': 'application/xml' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const admin = new S3Client({
    endpoint,
    region: REGION,
    forcePathStyle: true,
    credentials: CREDENTIALS,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    endpoint,
    bucket: BUCKET,
    credentials: CREDENTIALS,
    async keys() {
      const { Contents = [] } = await admin.send(new ListObjectsV2Command({ Bucket: BUCKET }));
      return Contents.map(({ Key = '' }) => Key);
    },
    async remove(key) {
      await admin.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: key }));
    },
    async write(key, text) {
      await admin.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: text }));
    },
    async close() {
      admin.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** s3rver reads the key's name alone; whether its secret signed the request is seen here. */
function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const { authorization = '' } = headers;
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const values = Object.fromEntries(signed.map((name) => [name, String(headers[name] ?? '')]));
  const wanted = aws4.sign(
    { service: 's3', region: REGION, method, path: url, headers: values },
    CREDENTIALS,
  );
  return wanted.headers.Authorization === authorization;
}
