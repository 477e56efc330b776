import { type Scope, scopes } from '@tollfree/contract/access/scope';
import { invalidField } from '../result/invalid-field.ts';
import { accept, type Result, refuse } from '../result/result.ts';

/**
 * What an authToken or a session may: `read` what there is, `manage` what can be set, and `funds`: what moves money
 * or names who may. Members are a matter of who has all three.
 */
export { type Scope, scopes };

/** Scopes that someone asks for, each once and in the order of the list. `INVALID_FIELD` for none and for any other. */
export function checkScopes(wanted: readonly string[]): Result<readonly Scope[]> {
  const known = scopes.filter((scope) => wanted.includes(scope));
  const isWhole = known.length > 0 && known.length === wanted.length;
  return isWhole ? accept(known) : invalidField('scopes', `must be one or more of ${scopes.join(', ')}, each once`);
}

/** `SCOPE_MISSING` for the first of the needed scopes that is not there. */
export function refuseMissingScope(
  needed: readonly Scope[],
  present: readonly Scope[],
): ReturnType<typeof refuse> | undefined {
  const scope = needed.find((one) => !present.includes(one));
  if (scope === undefined) return undefined;
  return refuse({ reason: 'SCOPE_MISSING', message: `The scope ${scope} is missing`, details: { scope } });
}
