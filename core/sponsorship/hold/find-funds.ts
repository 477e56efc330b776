import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainFunds, TankKey } from '../../ledger/holds/hold-request.ts';
import type { Identified } from '../identify/identify.ts';
import { findFundingWallet } from '../permit/sponsor-mode.ts';
import { viewChain } from '../permit/view-chain.ts';
import type { Asked } from '../run/asked.ts';
import type { ChainRuntime } from '../run/chain-runtime.ts';

/** The gas tank that would pay, and what the chain says there is for it. */
type Funds = ChainFunds & { readonly tank: TankKey };

/** The tank whose limits and caps count an operation that another paymaster sponsors: nothing is set aside in it. */
export function findTank({ contract, profile }: Identified): Result<Funds> {
  const wallet = findFundingWallet(profile);
  if (!wallet.ok) return wallet;
  const { address, chainId } = contract.location;
  return accept({ tank: { chainId, contract: address, wallet: wallet.value }, chainDeposit: 0n });
}

/** Finds a paymaster's tank and the chain's word on it. */
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

/** Tries once more after a look at the chain when the tank seems too small: a deposit may have just arrived. */
export async function withSecondLook<T>(chain: ChainRuntime, attempt: () => Promise<Result<T>>): Promise<Result<T>> {
  const first = await attempt();
  if (first.ok || first.refusal.reason !== 'INSUFFICIENT_FUNDS') return first;
  await chain.watcher.catchUp().catch(() => undefined);
  return attempt();
}
