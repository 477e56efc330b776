import { accept, type Result, refuse } from '../domain/result.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import type { Grant } from '../paymaster-contracts/family.ts';
import { checkOperationCost } from './check-caps.ts';
import { findFunds, withSecondLook } from './find-funds.ts';
import type { Identified } from './identify.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/** Whether the gas tank could carry an operation with the limits known so far, without holding anything for it. */
export async function checkFunds(
  parts: SponsorshipParts,
  identified: Identified,
  operation: UserOperationWithGas,
  grant: Grant,
): Promise<Result<true>> {
  const amount = identified.contract.family.worstCase(operation, grant);
  const capped = checkOperationCost(amount, identified.chain.config);
  if (!capped.ok) return capped;
  return withSecondLook(identified.chain, async () => {
    const funds = await findFunds(identified);
    if (!funds.ok) return funds;
    const { sender, nonce } = operation;
    const available = await parts.availableFunds({ ...funds.value, sender, nonce });
    // While the limits are not known yet the amount can be 0; an empty tank still carries nothing.
    if (available > 0n && available >= amount) return accept(true);
    return refuse({
      reason: 'INSUFFICIENT_FUNDS',
      message: `The gas tank cannot carry this operation: it can cost ${amount} wei or more and ${available} wei is available.`,
      details: { needed: amount.toString(), available: available.toString() },
    });
  });
}
