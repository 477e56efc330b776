import type { Address } from 'viem';
import type { OwnPrices } from './machine.ts';

/** What the thread that runs a chain is started with. */
export type ChainWorkerData = {
  /** 0 picks a free one. */
  readonly port: number;
  readonly chainId: number;
  /** Interval of blocks without transactions, in seconds; without it, only transactions create blocks. */
  readonly idleBlockSeconds: number | undefined;
  readonly prices: OwnPrices | undefined;
  /** Accounts with coin. */
  readonly funded: readonly Address[];
};
