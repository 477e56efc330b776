import { type CalldataWalker, NotUnderstoodError } from './calldata-walker.ts';
import { createFormDecoder, executeUserOpSelector } from './create-form-decoder.ts';
import type { InnerCall } from './decoder.ts';
import { readCallTuples, requireTargets } from './read-call.ts';

const forms = [{ selector: executeUserOpSelector, read: readBatchedCall }];

/** Uniswap's Calibur. Its calls follow the selector of `executeUserOp`, without a method of their own. */
export const calibur100 = createFormDecoder('CALIBUR', '1.0.0', { '0.7': forms, '0.8': forms });

/** Reads `abi.encode(((address to, uint256 value, bytes data)[] calls, bool revertOnFailure))` to the end. */
function readBatchedCall(walker: CalldataWalker): InnerCall[] {
  const batchAt = walker.offset();
  walker.reach(batchAt);
  const base = walker.position();
  const callsAt = walker.offset();
  const revertOnFailure = walker.uint();
  walker.reach(base + callsAt);
  const calls = readCallTuples(walker);
  walker.end();
  if (revertOnFailure > 1n) throw new NotUnderstoodError('a flag is neither true nor false');
  return requireTargets(calls);
}
