import { defaultPolicy, type Policy, type PolicyLimit } from '../../../core/domain/policy.ts';
import { endOtherLimits, ownerOfPolicy } from '../../../core/ledger/accounts/limit-numbers.ts';
import { policyText } from '../../../core/policies/policy-text.ts';
import type { Store } from '../../../core/store/store.ts';

/** Sets the limits of a paymaster's default policy, as the service does. */
export async function setPolicyLimits(
  store: Store,
  paymasterId: string,
  limits: readonly PolicyLimit[],
  over: Partial<Policy> = {},
): Promise<void> {
  const policy = policyText({ ...defaultPolicy, ...over, limits });
  await store.transaction(async (trx) => {
    await trx
      .insertInto('policies')
      .values({ paymaster_id: paymasterId, policy, updated_at: 0 })
      .onConflict((conflict) => conflict.column('paymaster_id').doUpdateSet({ policy }))
      .execute();
    await endOtherLimits(trx, ownerOfPolicy({ paymasterId, policyId: '' }), limits);
  });
}
