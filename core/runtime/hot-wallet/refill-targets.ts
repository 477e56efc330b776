import { type Address, getAddress } from 'viem';
import type { HotWalletConfig } from '../../domain/chain-config.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { readDepositAt } from '../../node/read-deposits.ts';
import { askAllNodes, type HotWalletParts, highestOf, type RefillTarget } from './hot-wallet-parts.ts';

/** A paymaster contract, and the EntryPoint with its deposit. */
type Place = { readonly address: Address; readonly entryPoint: Address };

/** The balances to top up, in this order: executors first, since nothing is relayed without them. A contract counts once. */
export function refillTargets(
  { executors: ofExecutors, deposits: ofDeposits }: Partial<Pick<HotWalletConfig, 'executors' | 'deposits'>>,
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

/** A balance below its threshold, and the amount it lacks. */
export type DueRefill = RefillTarget & { readonly amount: bigint };

/**
 * The first balance that is below its threshold on every node that answers. The highest answer counts, so that a single
 * lying or lagging node cannot cause a transfer.
 */
export async function findDueRefill({
  nodes,
  targets,
}: Pick<HotWalletParts, 'nodes' | 'targets'>): Promise<DueRefill | undefined> {
  for (const target of targets) {
    const balance = highestOf(await askAllNodes(nodes, (node) => readBalance(node, target)));
    if (balance < target.rule.below) return { ...target, amount: target.rule.to - balance };
  }
  return undefined;
}

/** The target's current balance, in wei. */
export function readBalance(node: ChainClient, { target, entryPoint }: Pick<RefillTarget, 'target' | 'entryPoint'>) {
  return entryPoint === undefined
    ? node.getBalance({ address: target })
    : readDepositAt(node, { entryPoint, contract: target });
}
