import type { Transaction } from 'kysely';
import type { PolicyLimit } from '../domain/policy.ts';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';
import { RowError } from '../store/row-error.ts';
import { type PolicyKey, policyKey } from './policy-key.ts';
import { parsePolicy } from './policy-text.ts';

/** The limits of policies by their keys. A named policy that may not be chosen, or not any more, is not there. */
export type LimitsByPolicy = ReadonlyMap<string, readonly PolicyLimit[]>;

/** Reads the limits of policies as they stand in the transaction. */
export async function readLimits(
  transaction: Transaction<Database>,
  places: readonly PolicyKey[],
): Promise<LimitsByPolicy> {
  const limits = new Map<string, readonly PolicyLimit[]>();
  const paymasterIds = new Set(places.filter(({ policyId }) => policyId === '').map(({ paymasterId }) => paymasterId));
  if (paymasterIds.size > 0) {
    for (const paymasterId of paymasterIds) limits.set(paymasterId, []);
    const rows = await transaction
      .selectFrom('policies')
      .select(['paymaster_id as key', 'policy'])
      .where('paymaster_id', 'in', dialectOf(transaction).texts([...paymasterIds]))
      .execute();
    for (const { key, policy } of rows) limits.set(key, limitsOf(policy, key));
  }
  const named = new Map(places.filter(({ policyId }) => policyId !== '').map((policy) => [policyKey(policy), policy]));
  if (named.size === 0) return limits;
  const rows = await transaction
    .selectFrom('named_policies')
    .select(['policy_id as key', 'paymaster_id', 'policy'])
    .where('policy_id', 'in', dialectOf(transaction).texts([...named.keys()]))
    .where('enabled', '=', 1)
    .execute();
  for (const { key, paymaster_id, policy } of rows) {
    if (named.get(key)?.paymasterId === paymaster_id) limits.set(key, limitsOf(policy, key));
  }
  return limits;
}

/** A policy that cannot be read lets nothing through, and leaves the others alone. */
function limitsOf(policy: string, key: string): readonly PolicyLimit[] {
  try {
    return parsePolicy(policy, key).limits;
  } catch (error) {
    if (error instanceof RowError) return [{ per: 'total', window: 'ever', unit: 'operations', max: 0n }];
    throw error;
  }
}
