import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest } from '../api/chat-request.js';
import type { RequestBody } from './read-body.js';

/** One request to the chat endpoint as it came in, refused ones included. */
export type RecordedRequest = {
  /** The body as sent; empty when it was refused as too large. */
  raw: string;
  /** The parsed body of an accepted request; undefined for a refused one. */
  parsed: ChatRequest | undefined;
  headers: IncomingHttpHeaders;
  /** SHA-256 of the body's bytes, in hex: equal digests mean byte-for-byte equal bodies. */
  digest: string;
  sizeBytes: number;
  at: Date;
  /** Images that a persona fetched by their address, in the order in which they came. */
  fetchedImages: { url: string; declaredType: string; sizeBytes: number; sha256: string }[];
  /** HTTP status of the answer; undefined while none was sent. */
  status?: number;
  /** True when the client hung up before the answer was complete. */
  aborted?: boolean;
};

/** The simulator's only memory. Nothing in it has any influence on a reply. */
export class RequestRecorder {
  readonly requests: RecordedRequest[] = [];

  constructor(private readonly keep: number) {}

  /** Adds a request, and forgets the oldest when more than the wanted number are there. */
  record(body: RequestBody, headers: IncomingHttpHeaders): RecordedRequest {
    const recorded: RecordedRequest = {
      raw: body.text,
      parsed: undefined,
      headers,
      digest: body.digest,
      sizeBytes: body.sizeBytes,
      at: new Date(),
      fetchedImages: [],
    };
    this.requests.push(recorded);
    if (this.requests.length > this.keep) this.requests.shift();
    return recorded;
  }

  clear(): void {
    this.requests.length = 0;
  }
}
