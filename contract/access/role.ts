import { z } from 'zod';

/** What a member of an account is. */
export const roles = ['owner', 'manager', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The role of a member. */
export const RoleSchema = z
  .enum(roles, { error: `role must be one of ${roles.join(', ')}` })
  .describe(
    '`owner`: all three scopes, and the members. `manager`: the scopes `read` and `manage`. `viewer`: the scope `read`.',
  );
