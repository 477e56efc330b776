import type { ChainView } from '../chain/chain-watcher.ts';
import { accept, type Result, refuse } from '../domain/result.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import type { HoldRequest } from '../ledger/hold-request.ts';
import { checkOperationCost } from './check-caps.ts';
import type { Identified } from './identify.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';
import { viewChain } from './view-chain.ts';

/**
 * Eighth step: the operation's worst case is set aside in the gas tank, durably, before anything is signed. When the
 * tank seems too small the chain is looked at once more, since a deposit may have just arrived.
 */
export async function holdWorstCase(
  parts: SponsorshipParts,
  identified: Identified,
  operation: UserOperationWithGas,
  validUntil: number,
): Promise<Result<{ readonly holdId: number }>> {
  const { chain, contract, profile } = identified;
  const wallet = profile.paymaster.fundingWallet;
  if (wallet === undefined) {
    return refuse({
      reason: 'INSUFFICIENT_FUNDS',
      message: 'The gas tank is empty: this paymaster has no funding wallet yet.',
    });
  }
  const amount = contract.family.worstCase(operation);
  const capped = checkOperationCost(amount, chain.config);
  if (!capped.ok) return capped;

  const attempt = async (): Promise<Result<{ readonly holdId: number }>> => {
    const view = viewChain(chain);
    if (!view.ok) return view;
    return holdOnce(parts, {
      tank: { chainId: contract.place.chainId, contract: contract.place.address, wallet },
      paymasterId: profile.paymaster.paymasterId,
      sender: operation.sender,
      nonce: operation.nonce,
      amount,
      validUntil,
      chainDeposit: depositOf(view.value, identified),
    });
  };
  const first = await attempt();
  if (first.ok || first.refusal.reason !== 'INSUFFICIENT_FUNDS') return first;
  await chain.watcher.catchUp().catch(() => undefined);
  return attempt();
}

function depositOf(view: ChainView, identified: Identified): bigint {
  return view.deposits.get(identified.contract.place.address) ?? 0n;
}

async function holdOnce(parts: SponsorshipParts, request: HoldRequest): Promise<Result<{ readonly holdId: number }>> {
  const outcome = await parts.holds.hold(request);
  if (outcome.held) return accept({ holdId: outcome.holdId });
  return refuse({
    reason: 'INSUFFICIENT_FUNDS',
    message: `The gas tank cannot carry this operation: it can cost up to ${request.amount} wei and ${outcome.available} wei is available.`,
    details: { needed: request.amount.toString(), available: outcome.available.toString() },
  });
}
