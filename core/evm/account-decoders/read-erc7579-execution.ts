import { type CalldataWalker, createCalldataWalker, NotUnderstoodError } from './calldata-walker.ts';
import type { InnerCall } from './decoder.ts';
import { readBatchOfTuples } from './read-call-batches.ts';
import { toInnerCall } from './to-inner-call.ts';

const singleCall = 0x00;
const batchCall = 0x01;
/** Revert with the first call that fails, or continue. */
const knownExecutionTypes: readonly (number | undefined)[] = [0x00, 0x01];

const addressBytes = 20;
const valueEnd = addressBytes + 32;

/**
 * Reads `(bytes32 mode, bytes executionCalldata)` of ERC-7579's `execute` to the end. `mode` is `callType` (1) `‖
 * execType` (1) `‖` zeros: no extensions. A single call is `target` (20) `‖ value` (32) `‖ data`, packed; a batch is
 * `abi.encode((address target, uint256 value, bytes data)[])`. Static and delegate calls are refused.
 */
export function readErc7579Execution(walker: CalldataWalker): InnerCall[] {
  const mode = walker.fixedBytes();
  const executionAt = walker.offset();
  walker.reach(executionAt);
  const execution = walker.bytes();
  walker.end();
  if (!knownExecutionTypes.includes(mode[1]) || mode.subarray(2).some((byte) => byte !== 0)) {
    throw new NotUnderstoodError('the execution mode is not a plain one');
  }
  if (mode[0] === batchCall) return readBatchOfTuples(createCalldataWalker(execution));
  if (mode[0] === singleCall) return [readPackedCall(execution)];
  throw new NotUnderstoodError('the execution mode makes no plain calls (delegate calls are never sponsored)');
}

function readPackedCall(execution: Buffer): InnerCall {
  if (execution.length < valueEnd) throw new NotUnderstoodError('the call data ends too early');
  const target = execution.toString('hex', 0, addressBytes);
  const value = BigInt(`0x${execution.toString('hex', addressBytes, valueEnd)}`);
  return toInnerCall(`0x${target}`, value, execution.subarray(valueEnd));
}
