import { type CalldataWalker, createCalldataWalker, NotUnderstoodError } from './calldata-walker.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import type { CallForm, InnerCall } from './decoder.ts';
import { readBatchOfTuples, readCallTuples, requireTargets } from './read-call.ts';

/** `execute(bytes32 mode, bytes executionData)` */
const executeSelector = '0xe9ae5c53';
const strictForms: readonly CallForm[] = [
  { selector: executeSelector, read: (walker) => readExecution(walker, requireNoOpData) },
];
const lenientForms: readonly CallForm[] = [
  { selector: executeSelector, read: (walker) => readExecution(walker, takeAnyOpData) },
];

export const erc7821Decoders = [
  /**
   * Any account with only the standard's `execute`. Accounts use `opData` in different ways (another signature, another
   * payer, calls signed elsewhere), so it must be empty.
   */
  createFormDecoder('ERC7821', '1.0.0', { '0.7': strictForms, '0.8': strictForms, '0.9': strictForms }),
  /** An account that uses `opData` only to authorize the calls next to it. */
  createFormDecoder('ERC7821_OP_DATA', '1.0.0', { '0.7': lenientForms, '0.8': lenientForms, '0.9': lenientForms }),
] as const;

/** Throws `NotUnderstoodError` for `opData` that the account kind does not allow. */
type CheckOpData = (opData: Buffer) => void;

const requireNoOpData: CheckOpData = (opData) => {
  if (opData.length > 0) throw new NotUnderstoodError('its opData is not empty, so its meaning cannot be checked');
};
const takeAnyOpData: CheckOpData = () => {};

/** `callType ‖ execType ‖ 4 unused ‖ mode selector`, as the standard writes them; the payload after them is empty. */
const modes = {
  batch: '01000000000000000000',
  batchWithOpData: '01000000000078210001',
  batchOfBatches: '01000000000078210002',
} as const;
const modeBytes = 10;
/** Offset of a list that follows two offsets. */
const afterTwoWords = 64;

/** Reads `(bytes32 mode, bytes executionData)` to the end: one batch of calls, all with targets. */
function readExecution(walker: CalldataWalker, checkOpData: CheckOpData): InnerCall[] {
  const mode = Buffer.from(walker.fixedBytes());
  const executionAt = walker.offset();
  walker.reach(executionAt);
  const execution = walker.bytes();
  walker.end();
  const kind = mode.toString('hex', 0, modeBytes);
  if (kind === modes.batchOfBatches) throw new NotUnderstoodError('it is a batch of batches');
  if ((kind !== modes.batch && kind !== modes.batchWithOpData) || mode.subarray(modeBytes).some((byte) => byte !== 0)) {
    throw new NotUnderstoodError('the execution mode is not one of a plain batch');
  }
  const inner = createCalldataWalker(execution);
  const withOpData = kind === modes.batchWithOpData && hasTwoValues(execution);
  return requireTargets(withOpData ? readWithOpData(inner, checkOpData) : readBatchOfTuples(inner));
}

/** Whether the first offset leaves room for a second one. Accounts distinguish the two encodings the same way. */
function hasTwoValues(execution: Buffer): boolean {
  return createCalldataWalker(execution).offset() >= afterTwoWords;
}

/** Reads `(calls, opData)` to the end. */
function readWithOpData(walker: CalldataWalker, checkOpData: CheckOpData): InnerCall[] {
  const callsAt = walker.offset();
  const opDataAt = walker.offset();
  walker.reach(callsAt);
  const calls = readCallTuples(walker);
  walker.reach(opDataAt);
  checkOpData(walker.bytes());
  walker.end();
  return calls;
}
