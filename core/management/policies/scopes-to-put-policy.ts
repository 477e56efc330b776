import type { Transaction } from 'kysely';
import { scopesOfPolicyChange } from '../../domain/access/policy-scopes.ts';
import type { Scope } from '../../domain/access/scope.ts';
import { defaultPolicy, type Policy } from '../../domain/policy.ts';
import { checkPolicy } from '../../policies/check-policy.ts';
import { readPolicyAt } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import { RowError } from '../../store/row-error.ts';

/** The policy that is set, or that goes where none is given; `policyId` is absent of the default one and of a new one. */
type Put = { readonly paymasterId: string; readonly policyId?: string; readonly policy?: Policy };

/**
 * The scopes that it takes to set, make or delete a policy. A new one is compared with the default policy, and so is one that
 * is deleted: what requests name is then decided by that one.
 */
export async function scopesToPutPolicy(
  trx: Transaction<Database>,
  { paymasterId, policyId, policy }: Put,
): Promise<readonly Scope[]> {
  const before = await readBefore(trx, paymasterId, policyId ?? '');
  if (policy === undefined) return scopesOfPolicyChange(before, await readBefore(trx, paymasterId, ''));
  const after = checkPolicy(policy);
  // Nothing is put in place that is not in order.
  return after.ok ? scopesOfPolicyChange(before, after.value) : [];
}

/** A policy that cannot be read, or is not there, is put right by setting one: then everything differs that is not the default. */
async function readBefore(trx: Transaction<Database>, paymasterId: string, policyId: string): Promise<Policy> {
  try {
    return (await readPolicyAt(trx, { paymasterId, policyId })) ?? defaultPolicy;
  } catch (error) {
    if (error instanceof RowError) return defaultPolicy;
    throw error;
  }
}
