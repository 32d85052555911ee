import type { ImageStep, ImageVariant, UnreadableImage } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { ImageVariant as VariantRow } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';

/** A picture, an endpoint's walls, and a rung. */
export interface VariantKey {
  sha256: string;
  wallsKey: string;
  step: ImageStep;
}

/** What became of pictures, for all processes. The first that makes a variant decides what its bytes are. */
export class ImageVariantRows {
  constructor(private readonly database: TenantDatabase) {}

  async find(tenant: TenantId, key: VariantKey): Promise<ImageVariant | UnreadableImage | null> {
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.imageVariant.findUnique({ where: { tenantId_variant: { tenantId: tenant, ...key } } }),
    );
    return row === null ? null : toResult(row);
  }

  /** The variant of a picture whose bytes have this hash, with which a storage key ends; null when there is none. */
  async findByContent(tenant: TenantId, sha256: string, contentHash: string): Promise<ImageVariant | null> {
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.imageVariant.findFirst({
        where: { tenantId: tenant, sha256, storageKey: { endsWith: `/${contentHash}` } },
      }),
    );
    const result = row === null ? null : toResult(row);
    return result === null || 'unreadable' in result ? null : result;
  }

  /** Puts another variant in the place of one whose bytes are lost. */
  async replace(
    tenant: TenantId,
    { sha256, wallsKey, step }: VariantKey,
    variant: ImageVariant,
  ): Promise<ImageVariant> {
    await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.imageVariant.update({
        where: { tenantId_variant: { tenantId: tenant, sha256, wallsKey, step } },
        data: columnsOf(variant),
      }),
    );
    return variant;
  }

  /** Returns what stands there now: this, or what another process has added before. */
  async add(
    tenant: TenantId,
    { sha256, wallsKey, step }: VariantKey,
    result: ImageVariant | UnreadableImage,
    now: number,
  ): Promise<ImageVariant | UnreadableImage> {
    const outcome = 'unreadable' in result ? { unreadable: result.unreadable } : columnsOf(result);
    const data = { tenantId: tenant, sha256, wallsKey, step, ...outcome, createdAt: new Date(now) };
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      await tx.imageVariant.createMany({ data: [data], skipDuplicates: true });
      return tx.imageVariant.findUniqueOrThrow({
        where: { tenantId_variant: { tenantId: tenant, sha256, wallsKey, step } },
      });
    });
    return toResult(row);
  }
}

const columnsOf = ({ mimeType, width, height, sizeBytes, storageKey }: ImageVariant) => ({
  mimeType,
  width,
  height,
  sizeBytes,
  storageKey,
});

function toResult(row: VariantRow): ImageVariant | UnreadableImage {
  const { sha256, step, mimeType, width, height, sizeBytes, storageKey, unreadable } = row;
  if (unreadable !== null) return { sha256, unreadable };
  if (mimeType === null || width === null || height === null || sizeBytes === null || storageKey === null)
    throw new Error(`the variant ${step} of the picture ${sha256} is not whole`);
  return {
    sha256,
    step,
    mimeType: mimeType as ImageVariant['mimeType'],
    width,
    height,
    sizeBytes,
    storageKey,
  };
}
