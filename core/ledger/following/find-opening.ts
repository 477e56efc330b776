import { zeroHash } from 'viem';
import type { ChainClient } from '../../node/chain-client.ts';
import type { DepositEvent } from '../../node/chain-event.ts';
import type { Watched } from '../../node/followed-chain.ts';
import { ifStateIsThere } from '../../node/node-error.ts';
import { readDepositAt } from '../../node/read-deposit-at.ts';
import type { ReadStretch } from '../../node/read-stretch.ts';
import { depositAfter } from '../posting/deposit-after.ts';
import type { WatchPosition } from './watch-position.ts';

/**
 * What a contract had deposited before the first block that is read, as a deposit of no wallet: the journal of a contract is
 * the whole of its deposit. Where the node no longer has that state, it is what the first stretch leaves unexplained. None
 * for a contract whose ledger has begun.
 */
export async function findOpening(
  { watched: { entryPoint }, startBlock }: { readonly watched: Watched; readonly startBlock: bigint },
  {
    node,
    position,
    read,
  }: { readonly node: ChainClient; readonly position: WatchPosition; readonly read: ReadStretch },
): Promise<readonly DepositEvent[]> {
  // What a relay has at first is booked by `balanceRelay`.
  if (position.lastHash !== undefined || startBlock === 0n || position.contract.relay !== undefined) return [];
  const { address: contract } = position.contract;
  const blockNumber = startBlock - 1n;
  const known = await ifStateIsThere(readDepositAt(node, { entryPoint, contract }, blockNumber));
  const rise = known ?? (read.deposits.get(contract) ?? 0n) - depositAfter(0n, read.events, contract);
  if (rise <= 0n) return [];
  return [{ kind: 'deposit', contract, totalDeposit: rise, rise, blockNumber, txHash: zeroHash, logIndex: 0 }];
}
