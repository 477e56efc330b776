import type { Address } from 'viem';
import type { CallForm } from './call-form.ts';
import { type CalldataWalker, NotUnderstoodError } from './calldata-walker.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import type { InnerCall } from './decoder.ts';
import { readMultiSend } from './read-multi-send.ts';
import { toInnerCall } from './to-inner-call.ts';

/** The canonical MultiSend and MultiSendCallOnly of Safe 1.4.1: the only code an account may delegate to. */
const multiSendContracts: readonly Address[] = [
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
];

const plainCall = 0n;
const delegateCall = 1n;

const forms: readonly CallForm[] = [
  { selector: '0x7bb37428', read: readExecuteUserOp }, // executeUserOp
  { selector: '0x541d63c8', read: readExecuteUserOp }, // executeUserOpWithErrorString
];

/** Safe 1.4.1 with the Safe4337Module, 0.2.0 for EntryPoint 0.6 and 0.3.0 for 0.7. */
export const safe141 = createFormDecoder('SAFE', '1.4.1', { '0.6': forms, '0.7': forms });

/** Reads `(address to, uint256 value, bytes data, uint8 operation)` to the end. */
function readExecuteUserOp(walker: CalldataWalker): InnerCall[] {
  const target = walker.address();
  const value = walker.uint();
  const dataAt = walker.offset();
  const operation = walker.uint();
  walker.reach(dataAt);
  const data = walker.bytes();
  walker.end();
  if (operation === plainCall) return [toInnerCall(target, value, data)];
  if (operation !== delegateCall || !multiSendContracts.includes(target)) {
    throw new NotUnderstoodError('it is a delegate call to other code than the MultiSend contracts of Safe 1.4.1');
  }
  return readMultiSend(data);
}
