import { afterAll, beforeAll, expect, test } from 'vitest';
import { DerivedKeys } from '../src/auth/derived-keys.js';
import { SecretCipher } from '../src/secrets/secret-cipher.js';
import { TenantSecrets } from '../src/secrets/tenant-secrets.js';
import { ADA, asEndUser, codeOf, type DatabaseFixture, EVERYBODY, openDatabase } from './database-fixture.js';

const present = new DerivedKeys('kV3n8Qz1rT6yWb0mXc5uLd9pHs2fGj7e');
const before = new DerivedKeys('e7jG2fsHp9dLu5cXm0bWy6Tr1zQ8n3Vk');
let fixture: DatabaseFixture;
beforeAll(async () => {
  fixture = await openDatabase();
});
afterAll(() => fixture.close());
const secretsWith = (cipher: SecretCipher) => new TenantSecrets(fixture.database, fixture.clock, cipher);
const secrets = () => secretsWith(new SecretCipher(present));
const rowsOf = (
  tenant: Parameters<TenantSecrets['list']>[0],
  viewer = EVERYBODY as Parameters<typeof fixture.database.inTenant>[1],
) =>
  fixture.database.inTenant(tenant, viewer, (tx) =>
    tx.tenantSecret.findMany({ where: { tenantId: tenant } }),
  );

test('a value is stored encrypted, revealed to its tenant, and replaced by the next one', async () => {
  const { id } = await fixture.addTenant();
  await secrets().put(id, 'TOKEN', 'first');
  await secrets().put(id, 'TOKEN', 'second');
  const rows = await rowsOf(id);
  expect(rows).toHaveLength(1);
  expect(Buffer.from(rows[0]?.ciphertext ?? []).toString('latin1')).not.toContain('second');
  expect(await secrets().reveal(id, ['TOKEN', 'OTHER'])).toEqual({
    values: new Map([['TOKEN', 'second']]),
    missing: ['OTHER'],
    unreadable: [],
  });
});

test('another tenant neither sees nor deletes a secret, nor does a row that is moved to it open', async () => {
  const [one, other] = [await fixture.addTenant(), await fixture.addTenant()];
  await secrets().put(one.id, 'TOKEN', 'sesame');
  expect(await secrets().list(other.id)).toEqual([]);
  expect(await codeOf(secrets().delete(other.id, 'TOKEN'))).toBe('not_found');
  expect((await secrets().reveal(other.id, ['TOKEN'])).missing).toEqual(['TOKEN']);
  const [row] = await rowsOf(one.id);
  if (!row) throw new Error('no row');
  await fixture.database.inTenant(other.id, EVERYBODY, (tx) =>
    tx.tenantSecret.create({ data: { ...row, tenantId: other.id } }),
  );
  expect(await secrets().reveal(other.id, ['TOKEN'])).toMatchObject({ unreadable: ['TOKEN'] });
});

test('the database shows the secrets of a tenant to none of its end users', async () => {
  const { id } = await fixture.addTenant();
  await secrets().put(id, 'TOKEN', 'sesame');
  expect(await rowsOf(id)).toHaveLength(1);
  expect(await rowsOf(id, asEndUser(ADA))).toEqual([]);
});

test('after the master secret was replaced a secret is encrypted anew when it is used', async () => {
  const { id } = await fixture.addTenant();
  await secretsWith(new SecretCipher(before)).put(id, 'TOKEN', 'sesame');
  expect(await secrets().reveal(id, ['TOKEN'])).toMatchObject({ unreadable: ['TOKEN'] });
  const rotating = secretsWith(new SecretCipher(present, [before]));
  expect((await rotating.reveal(id, ['TOKEN'])).values.get('TOKEN')).toBe('sesame');
  expect((await secrets().reveal(id, ['TOKEN'])).values.get('TOKEN')).toBe('sesame');
});

test('the 201st secret is refused, and one that is there can still be replaced', async () => {
  const { id } = await fixture.addTenant();
  const [row] = await (async () => {
    await secrets().put(id, 'S0', 'x');
    return rowsOf(id);
  })();
  if (!row) throw new Error('no row');
  await fixture.database.inTenant(id, EVERYBODY, (tx) =>
    tx.tenantSecret.createMany({
      data: Array.from({ length: 199 }, (_, index) => ({ ...row, name: `S${index + 1}` })),
    }),
  );
  expect(await codeOf(secrets().put(id, 'ONE_MORE', 'x'))).toBe('invalid_request');
  await secrets().put(id, 'S0', 'y');
});
