import type { z } from 'zod';
import { address, blockNumber, count, message } from '../../base/message-schema.ts';

/** How far the ledger of a contract was rolled back. */
export const LedgerRewindSchema = message('LedgerRewind', {
  contract: address,
  /** The last block that was in the ledger. */
  fromBlock: blockNumber,
  /** The first block that is read again. */
  nextBlock: blockNumber,
  /** Changes of the contract's deposit that were rolled back. */
  movements: count,
});
export type LedgerRewind = z.output<typeof LedgerRewindSchema>;
