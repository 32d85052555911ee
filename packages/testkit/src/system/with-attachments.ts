import type { AttachmentInput, StartRunResponse, UploadView } from '@plinth/protocol';
import { type ApiClient, ApiProblem } from './api-client.js';

const UPLOAD_TIMEOUT_MS = 60_000;

/** Uploads a file as a page does. @throws ApiProblem */
export async function uploadFile(who: ApiClient, bytes: Buffer, title: string): Promise<UploadView> {
  const response = await fetch(`${who.url}/v1/uploads?title=${encodeURIComponent(title)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.credential}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new ApiProblem(response.status, answer as ApiProblem['problem']);
  return answer as UploadView;
}

/** Says something with something attached to it. @throws ApiProblem */
export function startWith(
  who: ApiClient,
  text: string,
  attachments: AttachmentInput[],
  threadId?: string,
): Promise<StartRunResponse> {
  const path = threadId === undefined ? '/v1/runs' : `/v1/threads/${threadId}/runs`;
  return who.call('POST', path, { agent: 'tester', input: { text, attachments } });
}
