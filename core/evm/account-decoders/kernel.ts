import { type CalldataWalker, NotUnderstoodError } from './calldata-walker.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import type { CallForm, InnerCall } from './decoder.ts';
import { erc7579FormsWithUserOp } from './erc7579.ts';
import { readBatchOfTuples, readCallWithOperation, toInnerCall } from './read-call.ts';

const formsOf2: readonly CallForm[] = [
  { selector: '0x51945447', read: readExecuteWithOperation }, // execute(address,uint256,bytes,uint8)
  { selector: '0x34fcd5be', read: readBatchOfTuples }, // executeBatch
];

/** Kernel 2 (EntryPoint 0.6) and 3 (0.7, ERC-7579). Minor versions encode calls alike. */
export const kernelDecoders = [
  ...['2.2', '2.3', '2.4'].map((version) => createFormDecoder('KERNEL', version, { '0.6': formsOf2 })),
  ...['3.0', '3.1', '3.2', '3.3'].map((version) =>
    createFormDecoder('KERNEL', version, { '0.7': erc7579FormsWithUserOp }),
  ),
];

/** Only plain calls. */
function readExecuteWithOperation(walker: CalldataWalker): InnerCall[] {
  const { target, value, data, operation } = readCallWithOperation(walker);
  if (operation !== 0n) throw new NotUnderstoodError('it is a delegate call');
  return [toInnerCall(target, value, data)];
}
