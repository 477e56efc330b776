import { accept, type Result, refuse } from '../domain/result.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import type { Grant } from '../paymaster-contracts/family.ts';
import { checkOperationCost } from './check-caps.ts';
import { findFunds, withSecondLook } from './find-funds.ts';
import type { Identified } from './identify.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/** Eighth step: the operation's worst case is set aside in the gas tank, durably, before anything is signed. */
export async function holdWorstCase(
  parts: SponsorshipParts,
  identified: Identified,
  operation: UserOperationWithGas,
  grant: Grant,
): Promise<Result<{ readonly holdId: number }>> {
  const amount = identified.contract.family.worstCase(operation, grant);
  const capped = checkOperationCost(amount, identified.chain.config);
  if (!capped.ok) return capped;
  return withSecondLook(identified.chain, async () => {
    const funds = await findFunds(identified);
    if (!funds.ok) return funds;
    const outcome = await parts.holds.hold({
      ...funds.value,
      paymasterId: identified.profile.paymaster.paymasterId,
      sender: operation.sender,
      nonce: operation.nonce,
      amount,
      validUntil: grant.validUntil,
    });
    if (outcome.held) return accept({ holdId: outcome.holdId });
    if ('busy' in outcome) {
      return refuse({ reason: 'RATE_LIMITED', message: 'Too many operations are being signed at this moment.' });
    }
    return refuse({
      reason: 'INSUFFICIENT_FUNDS',
      message: `The gas tank cannot carry this operation: it can cost up to ${amount} wei and ${outcome.available} wei is available.`,
      details: { needed: amount.toString(), available: outcome.available.toString() },
    });
  });
}
