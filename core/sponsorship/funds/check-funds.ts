import { noteResult } from '../../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import type { Identified } from '../request/identify.ts';
import type { SponsorshipRun } from '../sponsorship-run.ts';
import { capCost } from './cap-cost.ts';
import { findFunds, withSecondLook } from './find-funds.ts';

/** Whether the gas tank could carry an operation with the limits known so far, without holding anything for it. */
export async function checkFunds(
  run: SponsorshipRun,
  identified: Identified,
  operation: UserOperationWithGas,
  grant: Grant,
): Promise<Result<true>> {
  const cost = await capCost(run, identified, operation, grant);
  if (!cost.ok) return cost;
  const { amount } = cost.value;
  const funded = await withSecondLook(identified.chain, async () => {
    const funds = await findFunds(identified);
    if (!funds.ok) return funds;
    const { sender, nonce } = operation;
    const { paymasterId } = identified.profile.paymaster;
    const available = await run.availableFunds({ ...funds.value, paymasterId, sender, nonce });
    // While the limits are not known yet the amount can be 0; an empty tank still carries nothing.
    if (available > 0n && available >= amount) return accept(true as const);
    return refuse({
      reason: 'INSUFFICIENT_FUNDS',
      message: `The gas tank cannot carry this operation: it can cost ${amount} wei or more and ${available} wei is available.`,
      details: { needed: amount.toString(), available: available.toString() },
    });
  });
  return noteResult(
    run.draft,
    { rule: 'gas-tank', checked: `worst case ${amount} wei with the limits known so far` },
    funded,
  );
}
