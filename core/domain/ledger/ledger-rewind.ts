import type { Address } from 'viem';

/** How far the ledger of a contract was rolled back. */
export type LedgerRewind = {
  readonly contract: Address;
  /** The last block that was in the ledger. */
  readonly fromBlock: bigint;
  /** The first block that is read again. */
  readonly nextBlock: bigint;
  /** Changes of the contract's deposit that were rolled back. */
  readonly movements: number;
};
