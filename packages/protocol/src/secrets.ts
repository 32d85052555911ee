import { z } from 'zod';

/** The name of a tenant's secret, as templates write it: `{{secrets.NAME}}`. */
export const secretName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'letters, digits and _, at most 64, starting with a letter');

export const putSecretRequest = z.strictObject({
  value: z
    .string()
    .min(1)
    .max(8192)
    .describe('What it stands for, 1 to 8192 characters. It cannot be read again.'),
});
export type PutSecretRequest = z.infer<typeof putSecretRequest>;

/** A secret as anybody can see it: that it is there. */
export const secretView = z.object({
  name: secretName,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type SecretView = z.infer<typeof secretView>;
