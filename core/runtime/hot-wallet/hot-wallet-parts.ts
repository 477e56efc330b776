import type { Logger } from '../../base/logger.ts';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import type { RefillBlock, RefillRule } from '../../domain/chain-config.ts';
import type { HotWallet } from '../../evm/signer/open-keystore.ts';
import type { TransferDraft } from '../../ledger/hot-wallet/transfers.ts';
import type { Cap } from '../../ledger/hot-wallet/write-transfers.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { Store } from '../../store/store.ts';

/** Least number of nodes that must answer, if there are as many: a single one could move money by lying. */
const leastAnswers = 2;

/**
 * The answers of all nodes, without nodes that do not answer.
 *
 * @throws RefillBlocked when fewer than two answer, or the only one does not.
 */
export async function askAllNodes<T>(
  nodes: readonly ChainClient[],
  ask: (node: ChainClient) => Promise<T>,
): Promise<readonly T[]> {
  const results = await Promise.allSettled(nodes.map(ask));
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (answers.length >= Math.min(nodes.length, leastAnswers) && answers.length > 0) return answers;
  throw new RefillBlocked('nodes', `Only ${answers.length} of ${nodes.length} nodes respond.`);
}

export function highestOf([first = 0n, ...others]: readonly bigint[]): bigint {
  return maxBigint(first, ...others);
}

export function lowestOf([first = 0n, ...others]: readonly bigint[]): bigint {
  return minBigint(first, ...others);
}

/** A balance to top up: an executor's, or the deposit of a paymaster contract. */
export type RefillTarget = Pick<TransferDraft, 'target' | 'entryPoint'> & { readonly rule: RefillRule };

/** The hot wallet of a chain, and the parts for topping up. */
export type HotWalletParts = {
  readonly wallet: HotWallet;
  readonly maxPerDay: bigint;
  readonly targets: readonly RefillTarget[];
  readonly chainId: number;
  readonly client: ChainClient;
  /** A client per node of the chain. */
  readonly nodes: readonly ChainClient[];
  readonly confirmations: number;
  /** The highest gas price that is paid, in wei; no bound when absent. */
  readonly maxFeePerGasCeiling?: bigint | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** What bounds the transfers of a day. */
export function capOf({ maxPerDay, clock }: HotWalletParts): Cap {
  return { maxPerDay, now: unixSeconds(clock) };
}

/** Ends a turn: a refill is due, but cannot be sent now. */
export class RefillBlocked extends Error {
  override readonly name = 'RefillBlocked';
  readonly block: RefillBlock;

  constructor(block: RefillBlock, message: string) {
    super(message);
    this.block = block;
  }
}
