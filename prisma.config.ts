/**
 * For the Prisma command line (`prisma migrate deploy`, `prisma studio`) where its engine can be downloaded.
 * The scripts of this repository do without it: see scripts/migrate.mjs. DATABASE_URL is the admin's.
 */
import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
});
