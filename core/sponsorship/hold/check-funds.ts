import { omitAbsent } from '@tollfree/contract/omit-absent';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { wholePercent } from '../../domain/user-share.ts';
import type { ChainFunds, HoldRequest, TankKey } from '../../ledger/holds/hold-request.ts';
import { countCalls } from '../../policies/called-limits.ts';
import { freshPrice } from '../../quotes/last-coin-price.ts';
import type { Ticket } from '../../tickets/ticket.ts';
import type { Granted, PricedCost, WorstCase } from '../cost.ts';
import type { Parallel } from '../grant-sponsorship.ts';
import type { Identified } from '../identify/identify.ts';
import { viewChain } from '../permit/check-chain.ts';
import { type Ticketed, ticketLimits } from '../permit/check-ticket.ts';
import { type DecodedCalls, type PaidCalls, withContent } from '../permit/decode-calls.ts';
import { findFundingWallet } from '../permit/sponsor-mode.ts';
import type { ChainRuntime } from '../run/sponsorship-parts.ts';
import { type Asked, noted, type Step, type UserPays } from '../run/steps.ts';
import { goUpstream, type Outage } from '../upstream.ts';

type Needed = Asked & Identified & Granted & WorstCase & Parallel & Outage;

/** Whether the gas tank can pay for the operation with the limits known so far, without a hold. */
export const checkFunds: Step<Needed, object> = noted(
  { rule: 'gas-tank', finding: ({ worstCase }) => ['funds', worstCase] },
  (request: Needed) =>
    withSecondLook(request.chain, async () => {
      const { parts, profile, operation, worstCase } = request;
      const funds = await findFunds(request);
      if (!funds.ok) return funds;
      const { sender, nonce } = operation;
      const { paymasterId } = profile.paymaster;
      const policy = omitAbsent({ policyId: profile.chosen?.policyId });
      const available = await parts.availableFunds({ ...funds.value, ...policy, paymasterId, sender, nonce });
      // Before the limits are known the amount may be 0; an empty tank still cannot pay.
      if (available > 0n && available >= worstCase) return accept({});
      return refuse({
        reason: 'INSUFFICIENT_FUNDS',
        message: `The gas tank cannot pay for this operation, which can cost ${worstCase} wei or more.`,
        details: { needed: worstCase.toString() },
      });
    }),
);

/** Whether the tank can pay; where another paymaster is used instead the tank is not looked at. */
export const checkFundsOrGoUpstream: Step<Needed, Outage> = async (request) => {
  if (request.outage !== undefined) return accept({});
  const checked = await checkFunds(request);
  if (checked.ok) return checked;
  return checked.refusal.reason === 'INSUFFICIENT_FUNDS' ? goUpstream(request, checked, {}) : checked;
};

/** The paying gas tank, and its funds according to the chain. */
type Funds = ChainFunds & { readonly tank: TankKey };

/** The tank whose limits and caps count an operation sponsored by another paymaster: nothing is held in it. */
export function findTank({ contract, profile }: Identified): Result<Funds> {
  const wallet = findFundingWallet(profile);
  if (!wallet.ok) return wallet;
  const { address, chainId } = contract.location;
  return accept({ tank: { chainId, contract: address, wallet: wallet.value }, chainDeposit: 0n });
}

/** Finds a paymaster's tank and its funds according to the chain. */
export async function findFunds({ chain, contract, profile, parts }: Asked & Identified): Promise<Result<Funds>> {
  const wallet = findFundingWallet(profile);
  if (!wallet.ok) return wallet;
  const view = viewChain(chain, contract.location.address, parts.clock);
  if (!view.ok) return view;
  const { address, chainId } = contract.location;
  const chainDeposit = view.value.deposits.get(address) ?? 0n;
  const tank: TankKey = { chainId, contract: address, wallet: wallet.value };
  const { customerFunding } = contract.family;
  if (customerFunding === undefined) return accept({ tank, chainDeposit });
  const walletBalance = await chain.customerBalances.read(address, customerFunding.balanceData(wallet.value));
  if (walletBalance !== undefined) return accept({ tank, chainDeposit, walletBalance });
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The balance of the funding wallet could not be read from the paymaster contract of chain ${chainId}.`,
  });
}

/** If the tank seems too small, reads the chain and tries again: a deposit may have just arrived. */
export async function withSecondLook<T>(chain: ChainRuntime, attempt: () => Promise<Result<T>>): Promise<Result<T>> {
  const first = await attempt();
  if (first.ok || first.refusal.reason !== 'INSUFFICIENT_FUNDS') return first;
  await chain.watcher.catchUp().catch(() => undefined);
  return attempt();
}

/** Facts that determine which limits count a hold in token mode. */
export type Counted = Ticketed & PaidCalls & PricedCost & UserPays;

/** Fields for limits and budgets of an operation with a user share; empty if the user pays everything. */
export function countShare(
  request: Asked & Identified & Counted,
): Pick<HoldRequest, 'userPercent' | 'usdMicrosPerCoin' | 'seenUsdMicrosPerCoin' | 'calls'> {
  const { userPercent, usdMicrosPerCoin, profile, paidCalls, chain, parts } = request;
  if (userPercent === wholePercent) return {};
  const called = countCalls(profile.calledLimits, (paidCalls?.judged ?? []).map(withContent));
  const seenUsdMicrosPerCoin = freshPrice(chain.coinPrice, parts.clock);
  return {
    userPercent,
    calls: called,
    ...omitAbsent({ usdMicrosPerCoin, seenUsdMicrosPerCoin }),
  };
}

/** Fields for limits and budgets of a sponsored operation. */
export function countSponsored({
  profile,
  calls,
  chain,
  parts,
  usdMicrosPerCoin,
}: Asked & Identified & DecodedCalls & PricedCost): Pick<
  HoldRequest,
  'usdMicrosPerCoin' | 'seenUsdMicrosPerCoin' | 'calls'
> {
  const called = countCalls(profile.calledLimits, calls.map(withContent));
  const seenUsdMicrosPerCoin = freshPrice(chain.coinPrice, parts.clock);
  return {
    calls: called,
    ...omitAbsent({ usdMicrosPerCoin, seenUsdMicrosPerCoin }),
  };
}

/** The user of the hold, and which ticket counts it. */
export function ownedBy(ticket: Ticket | undefined): Pick<HoldRequest, 'subject' | 'ticket'> {
  if (ticket === undefined) return {};
  const { subject, counted, expiresAt: endsAt } = ticket;
  return {
    subject,
    ...(counted === undefined ? {} : { ticket: { id: counted, endsAt, limits: ticketLimits(ticket) } }),
  };
}
