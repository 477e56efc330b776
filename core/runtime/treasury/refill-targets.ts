import { type Address, getAddress } from 'viem';
import type { TreasuryConfig } from '../../domain/chain-config.ts';
import type { RefillTarget } from './treasury-parts.ts';

/** A paymaster contract, and the EntryPoint with its deposit. */
type Place = { readonly address: Address; readonly entryPoint: Address };

/** The balances to top up, in this order: executors first, since nothing is relayed without them. A contract counts once. */
export function refillTargets(
  { executors: ofExecutors, deposits: ofDeposits }: Partial<Pick<TreasuryConfig, 'executors' | 'deposits'>>,
  { executors, contracts }: { readonly executors: readonly Address[]; readonly contracts: readonly Place[] },
): readonly RefillTarget[] {
  const wallets =
    ofExecutors === undefined ? [] : executors.map((one) => ({ target: getAddress(one), rule: ofExecutors }));
  if (ofDeposits === undefined) return wallets;
  const deposits = contracts.map(({ address, entryPoint }) => ({
    target: getAddress(address),
    entryPoint: getAddress(entryPoint),
    rule: ofDeposits,
  }));
  return [...wallets, ...new Map(deposits.map((one) => [one.target, one])).values()];
}
