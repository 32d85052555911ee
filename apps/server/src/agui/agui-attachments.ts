import type { ArtifactStore, DoorPorts } from '@plinth/engine';
import {
  type AttachmentInput,
  type EndUserId,
  PlinthError,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import type { TenantConfigs } from '../config/tenant-configs.js';
import { keepUpload } from '../uploads/keep-upload.js';
import type { Uploads } from '../uploads/uploads.js';
import type { Media } from './agui-content.js';

interface Whose {
  endUserId: EndUserId;
  threadId: ThreadId | null;
}

/** Makes attachments of the platform of the parts of AG-UI messages. */
export class AguiAttachments {
  readonly #artifacts: string;

  /** @param publicUrl where browsers reach this server: pictures that a snapshot has named come back by it */
  constructor(
    private readonly ports: Pick<DoorPorts, 'attachments'>,
    private readonly uploads: Uploads,
    private readonly store: ArtifactStore,
    private readonly configs: TenantConfigs,
    publicUrl: string,
  ) {
    this.#artifacts = `${publicUrl}/v1/artifacts/`;
  }

  /**
   * Bytes are stored as uploads of the end user. Whether all is there is known before anything else is begun.
   *
   * @throws PlinthError attachment_too_large, attachment_not_found, attachment_not_fetched; each names the part of the request
   */
  async take(tenant: TenantId, whose: Whose, media: readonly Media[]): Promise<AttachmentInput[]> {
    if (media.length === 0) return [];
    const { maxUploadBytes } = (await this.configs.current(tenant)).effective.artifacts;
    for (const one of media)
      if ('bytes' in one && one.bytes.length > maxUploadBytes) throw tooLarge(one.path, maxUploadBytes);
    const inputs: AttachmentInput[] = [];
    for (const one of media) inputs.push(await this.#inputOf(tenant, whose.endUserId, one));
    try {
      await this.ports.attachments.find(tenant, whose, inputs);
    } catch (error) {
      throw asOfRequest(error, media);
    }
    return inputs;
  }

  async #inputOf(tenant: TenantId, endUserId: EndUserId, media: Media): Promise<AttachmentInput> {
    if ('bytes' in media) {
      const { id } = await keepUpload(this.store, this.uploads, { tenant, endUserId }, media);
      return { uploadId: id };
    }
    const { input } = media;
    if (!('url' in input) || !input.url.startsWith(this.#artifacts)) return input;
    const [, artifactId] = /^([\w-]+)\/content(?:\?|$)/.exec(input.url.slice(this.#artifacts.length)) ?? [];
    return artifactId === undefined ? input : { artifactId };
  }
}

function tooLarge(path: string, most: number): PlinthError {
  const message = `must have at most ${most} bytes`;
  return new PlinthError('attachment_too_large', `${path}: ${message}. Send a smaller one.`, {}, [
    { path, message },
  ]);
}

/** The same problem with its field named as the request has it. */
function asOfRequest(error: unknown, media: readonly Media[]): unknown {
  if (!PlinthError.isInstance(error)) return error;
  const [field] = error.fields;
  const [ours, index] = /^input\.attachments\.(\d+)\.\w+/.exec(field?.path ?? '') ?? [];
  const path = media[Number(index)]?.path;
  if (field === undefined || ours === undefined || path === undefined) return error;
  return new PlinthError(error.code, error.message.replace(ours, path), error.facts, [{ ...field, path }]);
}
