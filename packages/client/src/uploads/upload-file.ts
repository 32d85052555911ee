import type { UploadView } from '@plinth/protocol';
import type { HttpClient } from '../http/http-client.js';
import { toQuery } from '../http/query.js';

export type UploadOptions = {
  /** What people and the model see. Default: the name of the file. */
  title?: string;
  signal?: AbortSignal;
};

/** Gives a file to the platform, for `attachments` of a message that is sent later. */
export function uploadFile(
  http: HttpClient,
  file: Blob,
  { title, signal }: UploadOptions,
): Promise<UploadView> {
  const query = toQuery({ title: title ?? nameOf(file) });
  // The kind is detected from the bytes; the browser's guess is a hint.
  const headers = { 'content-type': file.type || 'application/octet-stream' };
  return http.sendBytes(`/v1/uploads${query}`, { method: 'POST', body: file, headers, signal });
}

const nameOf = (file: Blob): string | undefined =>
  'name' in file && typeof file.name === 'string' && file.name !== '' ? file.name : undefined;
