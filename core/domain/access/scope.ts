import { type Scope, scopes } from '@tollfree/contract/access/scope';
import { invalidField } from '../result/invalid-field.ts';
import { accept, type Result, refuse } from '../result/result.ts';

/**
 * What an authToken or a session may do: `read` reads, `manage` changes settings, `funds` moves money or determines who may.
 * Managing members requires all three.
 */
export { type Scope, scopes };

/**
 * Requested scopes, without duplicates and in the order of the list. `INVALID_FIELD` for an empty list and for unknown
 * scopes.
 */
export function checkScopes(wanted: readonly string[]): Result<readonly Scope[]> {
  const known = scopes.filter((scope) => wanted.includes(scope));
  const isWhole = known.length > 0 && known.length === wanted.length;
  return isWhole ? accept(known) : invalidField('scopes', `must be one or more of ${scopes.join(', ')}, each once`);
}

/** `SCOPE_MISSING` for the first of the required scopes that is missing. */
export function refuseMissingScope(
  needed: readonly Scope[],
  present: readonly Scope[],
): ReturnType<typeof refuse> | undefined {
  const scope = needed.find((one) => !present.includes(one));
  if (scope === undefined) return undefined;
  return refuse({ reason: 'SCOPE_MISSING', message: `The scope ${scope} is missing`, details: { scope } });
}
