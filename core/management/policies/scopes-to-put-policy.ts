import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import { type Scope, scopes } from '../../domain/access/actor.ts';
import { defaultPolicy, type Policy, policyScopes } from '../../domain/policy.ts';
import { checkPolicy } from '../../policies/check-policy.ts';
import { readPolicyAt } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { RowError } from '../../store/store-error.ts';

/** The policy to set; absent when deleting. `policyId` is absent for the default policy and for a new one. */
type Put = { readonly paymasterId: string; readonly policyId?: string; readonly policy?: Policy };

/**
 * The scopes required to set, create or delete a policy. A new or deleted policy is compared with the default policy, which
 * decides requests that name a deleted one.
 */
export async function scopesToPutPolicy(
  trx: Transaction<Database>,
  { paymasterId, policyId, policy }: Put,
): Promise<readonly Scope[]> {
  const before = await readBefore(trx, paymasterId, policyId ?? '');
  if (policy === undefined) return scopesOfPolicyChange(before, await readBefore(trx, paymasterId, ''));
  const after = checkPolicy(policy);
  // An invalid policy will not be stored.
  return after.ok ? scopesOfPolicyChange(before, after.value) : [];
}

/** If the previous policy is unreadable or missing, all differences from the default policy count. */
async function readBefore(trx: Transaction<Database>, paymasterId: string, policyId: string): Promise<Policy> {
  try {
    return (await readPolicyAt(trx, { paymasterId, policyId })) ?? defaultPolicy;
  } catch (error) {
    if (error instanceof RowError) return defaultPolicy;
    throw error;
  }
}

/** The scopes required to replace one policy by another. */
function scopesOfPolicyChange(before: Policy, after: Policy): readonly Scope[] {
  const needed = scopesOfChange(policyScopes, before, after);
  return scopes.filter((scope) => needed.has(scope));
}

type ScopesOfFields = { readonly [field: string]: Scope | ScopesOfFields };
type Fields = Readonly<Record<string, unknown>>;

function scopesOfChange(table: ScopesOfFields, before: Fields, after: Fields): ReadonlySet<Scope> {
  const needed = new Set<Scope>();
  for (const [field, scope] of Object.entries(table)) {
    const [was, is] = [before[field], after[field]];
    if (isDeepStrictEqual(was, is)) continue;
    if (typeof scope === 'string') needed.add(scope);
    else for (const one of scopesOfChange(scope, (was ?? {}) as Fields, (is ?? {}) as Fields)) needed.add(one);
  }
  return needed;
}
