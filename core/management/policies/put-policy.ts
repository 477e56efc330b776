import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Kysely, Transaction } from 'kysely';
import type { Owned } from '../../domain/access/actor.ts';
import { defaultPolicy, type Policy } from '../../domain/policy.ts';
import type { Result } from '../../domain/result/result.ts';
import type { WantedCount } from '../../ledger/holds/count-in-steps.ts';
import { forgetUnusedUsage } from '../../policies/forget-unused-usage.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import { readPolicyAt } from '../../policies/policy-text.ts';
import { countsUsd } from '../../policies/worth-usd.ts';
import type { Database } from '../../store/database.ts';
import { RowError } from '../../store/row-error.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
import { countBefore, finishCounts } from './count-before.ts';
import type { PolicyParts } from './policy-parts.ts';

/**
 * Replaces the policy by a checked one: counts the use of limits that the previous policy did not count, then has `write`
 * store it. `write` must refuse before it writes.
 */
export async function putPolicy<T>(
  parts: PolicyParts,
  owned: Owned,
  { policyId, policy }: { readonly policyId: string; readonly policy: Policy },
  write: (trx: Transaction<Database>) => Promise<Result<T>>,
): Promise<Result<T>> {
  const reference = { paymasterId: owned.paymasterId, policyId };
  const counts = await countForPolicy(parts, reference, policy);
  return changeOwnPaymaster(parts, owned, async (trx) => {
    const before = await readPolicyBefore(trx, reference);
    const written = await write(trx);
    if (!written.ok) return written;
    const counted = await finishCounts(trx, counts);
    await forgetUnusedUsage(trx, reference, { before, after: policy }, counted);
    return written;
  });
}

async function countForPolicy(
  parts: PolicyParts,
  reference: PolicyKey,
  after: Policy,
): Promise<readonly WantedCount[]> {
  const before = await readPolicyBefore(parts.store.db, reference);
  const profile = countsUsd(after) ? await parts.profiles.findById(reference.paymasterId) : undefined;
  const price = profile === undefined ? undefined : await parts.coinPrice(profile.paymaster.chainId);
  return countBefore(parts, { reference, before, after, ...omitAbsent({ usdMicrosPerCoin: price }) });
}

/** Setting a policy is the fix for an unreadable one, whose counts are not reused. */
async function readPolicyBefore(db: Kysely<Database>, reference: PolicyKey): Promise<Policy> {
  try {
    return (await readPolicyAt(db, reference)) ?? defaultPolicy;
  } catch (error) {
    if (error instanceof RowError) return defaultPolicy;
    throw error;
  }
}
