import type { Address } from 'viem';

/** How far the books of a contract were taken back. */
export type LedgerRewind = {
  readonly contract: Address;
  /** The last block that was in the books. */
  readonly fromBlock: bigint;
  /** The first block that is read again. */
  readonly nextBlock: bigint;
  /** Changes of the contract's deposit that were taken back. */
  readonly movements: number;
};
