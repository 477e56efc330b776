import type { Hex } from 'viem';
import { maxBigint } from '../../base/values/integers.ts';
import type { Watched, WatchedContract } from '../../node/followed-chain.ts';
import type { Store } from '../../store/store.ts';
import { readWatch } from '../read-watch.ts';

/** How far the ledger of a contract has come. */
export type WatchPosition = {
  readonly contract: WatchedContract;
  /** The first block that is not in the ledger. */
  readonly next: bigint;
  /** The hash of the block before it; undefined while nothing has been read, or when nothing is left of it. */
  readonly lastHash: Hex | undefined;
  /** Where the contract's own watch is in the store; undefined before its first stretch. */
  readonly watch: bigint | undefined;
};

type Asked = {
  readonly chainId: number;
  readonly watched: Watched;
  readonly startBlock: bigint;
  /** The newest block that counts as confirmed. */
  readonly confirmed?: bigint;
  readonly store: Store;
};

/**
 * How far the ledger of each contract has come. A new one starts with the first block, no matter how far the others are. A
 * relay starts now: what its wallets did before concerns no tank.
 */
export async function findPositions(asked: Asked): Promise<readonly WatchPosition[]> {
  return Promise.all(asked.watched.contracts.map((contract) => findPosition(asked, contract)));
}

/** How far the ledger of one contract has come: see {@link findPositions}. */
export async function findPosition(asked: Asked, contract: WatchedContract): Promise<WatchPosition> {
  const { store, chainId } = asked;
  const startBlock =
    contract.relay === undefined ? asked.startBlock : maxBigint(asked.confirmed ?? asked.startBlock, 0n);
  const own = await readWatch(store.db, { chainId, contract: contract.address });
  if (own !== undefined) {
    const next = BigInt(own.next_block);
    return { contract, next, lastHash: own.last_hash === '' ? undefined : (own.last_hash as Hex), watch: next };
  }
  return { contract, next: startBlock, lastHash: undefined, watch: undefined };
}
