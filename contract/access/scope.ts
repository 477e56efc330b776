import { z } from 'zod';
import type { ErrorAnswer } from '../envelope.ts';
import { managementErrors } from '../errors.ts';
import { afterType } from '../fields/form.ts';

/** What an authToken or a session may do: read, change settings, or move money and manage members. */
export const scopes = ['read', 'manage', 'funds'] as const;
export type Scope = (typeof scopes)[number];

const error = `scopes must be one or more of ${scopes.join(', ')}, each once`;

/** Scopes of an authToken. */
export const ScopesSchema = z
  .array(z.enum(scopes))
  .describe(
    '`read`: all calls that change nothing. `manage`: all calls that change a setting. `funds`: the funding wallet and, together with `manage`, the receiver of tokens. Members can be changed only with all three.',
  );

/** Requested scopes. */
export const WantedScopesSchema = z
  .array(z.enum(scopes, { error }), { error })
  .check(afterType(z.minLength(1, { error })))
  .refine((wanted) => new Set(wanted).size === wanted.length, { error });

/** The errors for a call whose credential lacks a scope. */
export const scopeErrors: Readonly<Record<Scope, ErrorAnswer>> = {
  read: managementErrors.scopeReadMissing,
  manage: managementErrors.scopeManageMissing,
  funds: managementErrors.scopeFundsMissing,
};
