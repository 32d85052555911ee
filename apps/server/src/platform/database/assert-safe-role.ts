import type { PrismaClient } from '../../generated/prisma/client.js';

interface RoleFacts {
  name: string;
  superuser: boolean;
  bypassesPolicies: boolean;
  ownsTables: boolean;
}

/**
 * Policies do not bind a superuser or a role with BYPASSRLS, and an owner can switch them off. A role that may
 * become such a one (by membership) is no better.
 *
 * @throws Error that names the role, what is wrong with it and what to do.
 */
export async function assertSafeRole(client: Pick<PrismaClient, '$queryRaw'>): Promise<void> {
  const [role] = await client.$queryRaw<RoleFacts[]>`
    SELECT current_user::text AS name,
           EXISTS (SELECT FROM pg_roles r WHERE r.rolsuper AND pg_has_role(current_user, r.oid, 'MEMBER')) AS "superuser",
           EXISTS (SELECT FROM pg_roles r WHERE r.rolbypassrls AND pg_has_role(current_user, r.oid, 'MEMBER')) AS "bypassesPolicies",
           EXISTS (SELECT FROM pg_class c
                    WHERE c.relnamespace = to_regnamespace('public') AND c.relkind IN ('r', 'p')
                      AND pg_has_role(current_user, c.relowner, 'MEMBER')) AS "ownsTables"`;
  if (!role) throw new Error('The database did not say which role is connected.');
  const wrong = [
    role.superuser && 'is a superuser, or may become one',
    role.bypassesPolicies && 'may bypass row-level security',
    role.ownsTables && 'owns the tables, or may become their owner',
  ].filter((text) => text !== false);
  if (wrong.length === 0) return;
  throw new Error(
    `The database role "${role.name}" ${wrong.join(', and ')}: tenants would not be kept apart. ` +
      'Let the server connect as plinth_app (DATABASE_APP_URL), which "npm run migrate" creates.',
  );
}
