import { editText, type ToolExecutor, type ToolInvocation, type ToolOutcome } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { z } from 'zod';
import { fieldErrorsOf, sentenceOf } from '../../tenants/field-errors.js';
import {
  bytesOf,
  conflictOf,
  type DocumentPorts,
  failed,
  findDocument,
  saveVersion,
} from './document-change.js';

const given = z.object({
  id: z.string().min(1).max(100),
  baseVersion: z.number().int().min(1).max(999_999_999),
  edits: z
    .array(z.object({ find: z.string(), replace: z.string() }))
    .min(1)
    .max(100),
});

/** The builtin `edit_document`: exact replacements in a document of the run's conversation. */
export class EditDocumentExecutor implements ToolExecutor {
  constructor(private readonly ports: DocumentPorts) {}

  async execute(tenant: TenantId, invocation: ToolInvocation): Promise<ToolOutcome> {
    const parsed = given.safeParse(invocation.arguments);
    if (!parsed.success) return failed('invalid_arguments', `${sentenceOf(fieldErrorsOf(parsed.error))}.`);
    const { id, baseVersion, edits } = parsed.data;
    const found = await findDocument(this.ports, tenant, invocation.runId, id);
    if ('refused' in found) return found.refused;
    const { document } = found;
    const { artifacts, store } = this.ports;
    const storageKey = await artifacts.storageKey(tenant, document, baseVersion);
    if (storageKey === null) return conflictOf(document, baseVersion);
    // On what the model knows, also when it is not the newest: a call that is carried out again finds its own version.
    const text = new TextDecoder().decode(await store.get(tenant, storageKey));
    const edited = editText(text, edits);
    if (!edited.ok)
      return document.version === baseVersion
        ? { kind: 'failed', error: edited.error }
        : conflictOf(document, baseVersion);
    const written = bytesOf(edited.text);
    if ('refused' in written) return written.refused;
    return saveVersion(this.ports, tenant, invocation, document, { baseVersion, bytes: written.bytes });
  }
}
