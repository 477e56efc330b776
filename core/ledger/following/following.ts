import type { Address } from 'viem';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { QuestionWidth } from '../../node/event-range.ts';
import type { Watched } from '../../node/followed-chain.ts';
import type { LastCoinPrice } from '../../quotes/last-coin-price.ts';
import type { Store } from '../../store/store.ts';
import type { Patience } from './patience.ts';

/** What the ledgers of an EntryPoint's contracts need to follow the chain. */
export type Following = {
  readonly chainId: number;
  /** Each of the chain's nodes on its own, the preferred one first. */
  readonly nodes: readonly ChainClient[];
  readonly watched: Watched;
  /** The newest block that counts as confirmed. */
  readonly confirmed: bigint;
  readonly startBlock: bigint;
  readonly width: QuestionWidth;
  readonly patience: Patience;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Requested when something is posted, and not awaited. */
  readonly coinPrice?: Pick<LastCoinPrice, 'last'>;
  /** Called with the cost in wei of each operation that the contract paid for and no tank signed. */
  readonly noteCostWithoutTank?: (contract: Address, cost: bigint) => void;
  readonly isClosed: () => boolean;
};
