import { type CalldataWalker, createCalldataWalker, NotUnderstoodError } from './calldata-walker.ts';
import { createFormDecoder, executeUserOpForm } from './create-form-decoder.ts';
import type { CallForm, InnerCall } from './decoder.ts';
import { readBatchOfTuples, toInnerCall } from './read-call.ts';

/** `execute(bytes32,bytes)` of ERC-7579. */
export const erc7579Forms: readonly CallForm[] = [{ selector: '0xe9ae5c53', read: readErc7579Execution }];

/** Any account with only the standard's `execute`. */
export const erc7579 = createFormDecoder('ERC7579', '1.0.0', {
  '0.7': erc7579Forms,
  '0.8': erc7579Forms,
  '0.9': erc7579Forms,
});

/**
 * For accounts with an `executeUserOp` that calls the account with the bytes after the selector. Nexus 1.0 decodes those
 * bytes as `(address, bytes)`; a call of `execute` does not begin with an address, so it reverts there.
 */
export const erc7579FormsWithUserOp: readonly CallForm[] = [...erc7579Forms, executeUserOpForm(erc7579Forms)];

/** Biconomy Nexus (EntryPoint 0.7). */
export const nexus100 = createFormDecoder('NEXUS', '1.0.0', { '0.7': erc7579FormsWithUserOp });

const singleCall = 0x00;
const batchCall = 0x01;
/** Revert on the first failing call, or continue. */
const knownExecutionTypes: readonly (number | undefined)[] = [0x00, 0x01];

const addressBytes = 20;
const valueEnd = addressBytes + 32;

/**
 * Reads `(bytes32 mode, bytes executionCalldata)` of ERC-7579's `execute` to the end. `mode` is `callType` (1) `‖
 * execType` (1) `‖` zeros: no extensions. A single call is `target` (20) `‖ value` (32) `‖ data`, packed; a batch is
 * `abi.encode((address target, uint256 value, bytes data)[])`. Static and delegate calls are refused.
 */
function readErc7579Execution(walker: CalldataWalker): InnerCall[] {
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
