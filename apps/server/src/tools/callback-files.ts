import type { ArtifactStore, StoredFile } from '@plinth/engine';
import { type CallbackResult, type FieldError, PlinthError, type TenantId } from '@plinth/protocol';
import { detectArtifact } from '../artifacts/detect-artifact.js';

export type CallbackFile = Extract<CallbackResult, { status: 'succeeded' }>['files'][number];

const MIB = 1024 * 1024;
/** What one callback may bring. Larger products need an upload of their own. */
export const CALLBACK_FILE_LIMITS = { files: 16, fileBytes: 25 * MIB, totalBytes: 32 * MIB } as const;

/**
 * Takes in the files of a callback: decoded, stored, their kind detected from the bytes. Everything is
 * checked before anything is stored.
 *
 * @throws PlinthError `body_too_large` or `invalid_request`, naming each field.
 */
export async function storeCallbackFiles(
  store: ArtifactStore,
  tenant: TenantId,
  files: readonly CallbackFile[],
): Promise<StoredFile[]> {
  refuseTooLarge(files);
  const decoded = files.map(decode);
  const stored: StoredFile[] = [];
  for (const { file, bytes } of decoded) {
    const { kind, mimeType } = await detectArtifact(bytes, {
      name: file.name,
      contentType: file.contentType,
    });
    stored.push({ title: file.name, kind, mimeType, ...(await store.put(tenant, bytes)) });
  }
  return stored;
}

function refuseTooLarge(files: readonly CallbackFile[]): void {
  const { files: maxFiles, fileBytes, totalBytes } = CALLBACK_FILE_LIMITS;
  if (files.length > maxFiles) {
    refuse('invalid_request', [{ path: 'files', message: `at most ${maxFiles} files, got ${files.length}` }]);
  }
  const sizes = files.map((file) => decodedLength(file.base64));
  const tooLarge = sizes.flatMap((size, index) =>
    size > fileBytes
      ? [{ path: `files.${index}.base64`, message: `at most ${fileBytes} bytes, got ${size}` }]
      : [],
  );
  if (tooLarge.length > 0) refuse('body_too_large', tooLarge);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > totalBytes) {
    refuse('body_too_large', [
      { path: 'files', message: `at most ${totalBytes} bytes together, got ${total}` },
    ]);
  }
}

function decode(file: CallbackFile, index: number): { file: CallbackFile; bytes: Uint8Array } {
  const bytes = Buffer.from(file.base64, 'base64');
  const path = `files.${index}.base64`;
  // Buffer.from skips what is not base64 without a word; the length tells.
  if (bytes.length !== decodedLength(file.base64))
    refuse('invalid_request', [{ path, message: 'is not valid base64' }]);
  if (bytes.length === 0) refuse('invalid_request', [{ path, message: 'is empty' }]);
  return { file, bytes };
}

function decodedLength(base64: string): number {
  const digits = base64.endsWith('==')
    ? base64.length - 2
    : base64.endsWith('=')
      ? base64.length - 1
      : base64.length;
  return Math.floor((digits * 3) / 4);
}

function refuse(code: 'invalid_request' | 'body_too_large', fields: FieldError[]): never {
  const detail = fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new PlinthError(code, `The files of this callback were not taken: ${detail}.`, {}, fields);
}
