import { z } from 'zod';
import { afterType } from '../fields/after-type.ts';

/** What an authToken or a session may: look, change, and what moves money or names who may. */
export const scopes = ['read', 'manage', 'funds'] as const;
export type Scope = (typeof scopes)[number];

const error = `scopes must be one or more of ${scopes.join(', ')}, each once`;

/** Scopes of an authToken. */
export const ScopesSchema = z
  .array(z.enum(scopes))
  .describe(
    '`read`: everything that only looks. `manage`: everything that changes a setting. `funds`: the funding wallet, and with `manage` the receiver of tokens. All three: the members of the account too.',
  );

/** Scopes that are asked for. */
export const WantedScopesSchema = z
  .array(z.enum(scopes, { error }), { error })
  .check(afterType(z.minLength(1, { error })))
  .refine((wanted) => new Set(wanted).size === wanted.length, { error });
