import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { wholePercent } from '../../domain/user-share.ts';
import type { ChainFunds, CoinPrices, HoldRequest, RequestTicket, TankKey } from '../../ledger/holds/hold-request.ts';
import { countCalls } from '../../policies/called-limits.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import { freshPrice } from '../../quotes/last-coin-price.ts';
import type { Ticket } from '../../tickets/ticket.ts';
import type { PricedCost, WithSignedTerms, WorstCase } from '../cost.ts';
import type { Identified } from '../identify/identify.ts';
import { viewChain } from '../permit/check-chain.ts';
import { type Ticketed, ticketLimits } from '../permit/check-ticket.ts';
import { type DecodedCalls, type PaidCalls, withContent } from '../permit/decode-calls.ts';
import { findFundingWallet } from '../permit/sponsor-mode.ts';
import type { ChainRuntime } from '../run/sponsorship-parts.ts';
import { type Asked, noted, type Step, type UserPays } from '../run/steps.ts';
import type { Parallel } from '../sponsored-terms.ts';
import { turnToVendor, type WhyVendor } from '../vendor.ts';

type Needed = Asked & Identified & WithSignedTerms & WorstCase & Parallel & WhyVendor;

/** Whether the gas tank can pay for the operation with the limits known so far, without a hold. */
export const checkFunds: Step<Needed, object> = noted(
  { rule: 'gas-tank', finding: ({ worstCase }) => ['funds', worstCase] },
  (request: Needed) =>
    withSecondLook(request.chain, async () => {
      const { parts, profile, operation, worstCase } = request;
      const funds = await findFunds(request);
      if (!funds.ok) return funds;
      const { sender, nonce } = operation;
      const policy = policyOf(profile);
      const available = await parts.availableFunds({ ...funds.value, policy, sender, nonce });
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
export const checkFundsOrAskVendor: Step<Needed, WhyVendor> = async (request) => {
  if (request.why !== undefined) return accept({});
  const checked = await checkFunds(request);
  if (checked.ok) return checked;
  return checked.refusal.reason === 'INSUFFICIENT_FUNDS' ? turnToVendor(request, checked, {}) : checked;
};

/** The paying gas tank, and its funds according to the chain. */
type Funds = ChainFunds & { readonly tank: TankKey };

/** The tank whose limits and caps count an operation sponsored by another paymaster: nothing is held in it. */
export function findTank({ contract, profile }: Identified): Result<Funds> {
  const wallet = findFundingWallet(profile);
  if (!wallet.ok) return wallet;
  const { address, chainId } = contract.location;
  return accept({
    tank: { chainId, contract: address, wallet: wallet.value },
    chainDeposit: 0n,
    walletBalance: undefined,
  });
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
  if (customerFunding === undefined) return accept({ tank, chainDeposit, walletBalance: undefined });
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

/** What limits and budgets count with. */
type Counts = Pick<HoldRequest, 'prices' | 'calls'>;

/** The policy that decided. */
export function policyOf({ paymaster, chosen }: Identified['profile']): PolicyKey {
  return { paymasterId: paymaster.paymasterId, policyId: chosen?.policyId ?? '' };
}

/** For limits and budgets of an operation that the user pays for or shares; nothing counts it if the user pays everything. */
export function countShare(request: Asked & Identified & Counted): Counts {
  const { userPercent, profile, paidCalls } = request;
  if (userPercent === wholePercent) return { prices: noPrices };
  const calls = countCalls(profile.calledLimits, (paidCalls?.judged ?? []).map(withContent));
  return { calls, prices: pricesOf(request) };
}

const noPrices: CoinPrices = { usdMicrosPerCoin: undefined, seenUsdMicrosPerCoin: undefined };

/** For limits and budgets of a sponsored operation. */
export function countSponsored(request: Asked & Identified & DecodedCalls & PricedCost): Counts {
  const { profile, calls } = request;
  return { calls: countCalls(profile.calledLimits, calls.map(withContent)), prices: pricesOf(request) };
}

function pricesOf({ chain, parts, usdMicrosPerCoin }: Asked & Identified & PricedCost): CoinPrices {
  return { usdMicrosPerCoin, seenUsdMicrosPerCoin: freshPrice(chain.coinPrice, parts.clock) };
}

/** The user of the hold, and which ticket counts it. */
export function ticketOf(ticket: Ticket): RequestTicket {
  const { user, counted: id, expiresAt: endsAt } = ticket;
  return { user, bounded: id === undefined ? undefined : { id, endsAt, limits: ticketLimits(ticket) } };
}
