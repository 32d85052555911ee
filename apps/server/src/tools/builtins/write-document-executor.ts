import { extname } from 'node:path';
import type { ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { z } from 'zod';
import { detectArtifact } from '../../artifacts/detect-artifact.js';
import { fieldErrorsOf, sentenceOf } from '../../tenants/field-errors.js';
import { bytesOf, type DocumentPorts, failed, findDocument, saveVersion } from './document-change.js';

const given = z.object({
  id: z.string().min(1).max(100).optional(),
  baseVersion: z.number().int().min(1).max(999_999_999).optional(),
  title: z.string().trim().min(1).max(200).optional(),
  content: z.string(),
});

/** The builtin `write_document`: a new document, or all of the text of one that is there. */
export class WriteDocumentExecutor implements ToolExecutor {
  constructor(private readonly ports: DocumentPorts) {}

  async execute(tenant: TenantId, invocation: ToolInvocation): Promise<ToolOutcome> {
    const parsed = given.safeParse(invocation.arguments);
    if (!parsed.success) return failed('invalid_arguments', `${sentenceOf(fieldErrorsOf(parsed.error))}.`);
    const { id, baseVersion, title, content } = parsed.data;
    const written = bytesOf(content);
    if ('refused' in written) return written.refused;
    if (id === undefined)
      return title === undefined
        ? failed('invalid_arguments', 'title: a new document needs one; give id and baseVersion for another.')
        : this.#create(tenant, title, written.bytes);
    if (baseVersion === undefined)
      return failed('invalid_arguments', 'baseVersion: name the version of the document that you know.');
    const found = await findDocument(this.ports, tenant, invocation.runId, id);
    if ('refused' in found) return found.refused;
    return saveVersion(this.ports, tenant, invocation, found.document, {
      baseVersion,
      bytes: written.bytes,
    });
  }

  /** The row is written with the call's result, as that of any product. */
  async #create(tenant: TenantId, title: string, bytes: Uint8Array): Promise<ToolOutcome> {
    // What a model writes without saying what it is, is Markdown.
    const contentType = extname(title) === '' ? 'text/markdown' : undefined;
    const type = await detectArtifact(bytes, { name: title, contentType });
    const stored = await this.ports.store.put(tenant, bytes);
    const value = { title, version: 1, sizeBytes: stored.sizeBytes, summary: title };
    return { kind: 'succeeded', value, files: [{ title, ...type, ...stored }] };
  }
}
