import { z } from 'zod';

/** Roles of an account's members. */
export const roles = ['owner', 'manager', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The role of a member. */
export const RoleSchema = z
  .enum(roles, { error: `role must be one of ${roles.join(', ')}` })
  .describe(
    '`owner`: all three scopes, and the members. `manager`: the scopes `read` and `manage`. `viewer`: the scope `read`.',
  );
