import type { Address, Hex } from 'viem';
import { type CalldataWalker, createCalldataWalker, NotUnderstoodError, selectorOf } from './calldata-walker.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import type { CallForm, InnerCall } from './decoder.ts';
import { maxInnerCalls, readCallWithOperation, requireTargets, toInnerCall } from './read-call.ts';
import { findSafeIdentifiers } from './safe-identifier.ts';

/** The canonical MultiSend and MultiSendCallOnly: the only contracts an account may delegate to. */
const multiSend141: readonly Address[] = [
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
];
/** MultiSend of 1.5.0, which calls the account itself where a call has no target. */
const multiSend150: readonly Address[] = [
  '0x218543288004cd07832472d464648173c77d7eb7',
  '0xa83c336b20401af773b6219ba5027174338d1836',
];

const plainCall = 0n;
const delegateCall = 1n;

const forms: readonly CallForm[] = [
  { selector: '0x7bb37428', read: readExecuteUserOp, findSuffixes: findSafeIdentifiers }, // executeUserOp
  { selector: '0x541d63c8', read: readExecuteUserOp, findSuffixes: findSafeIdentifiers }, // executeUserOpWithErrorString
];

/** Whether call data begins with a method by which Safe's modules for ERC-4337 make calls. */
export function isSafeCall(callData: Hex): boolean {
  return forms.some(({ selector }) => callData.toLowerCase().startsWith(selector));
}

/**
 * Safe 1.4.1 with the Safe4337Module, 0.2.0 for EntryPoint 0.6 and 0.3.0 for 0.7, or with Candide's module for multi-chain
 * signatures (0.9). All have the same two methods.
 */
export const safe141 = createFormDecoder('SAFE', '1.4.1', { '0.6': forms, '0.7': forms, '0.9': forms });
/** Safe 1.5.0 with the same modules. */
export const safe150 = createFormDecoder('SAFE', '1.5.0', { '0.7': forms, '0.9': forms });

function readExecuteUserOp(walker: CalldataWalker): InnerCall[] {
  const { target, value, data, operation } = readCallWithOperation(walker);
  if (operation === plainCall) return [toInnerCall(target, value, data)];
  if (operation === delegateCall && multiSend141.includes(target)) return readMultiSend(data);
  if (operation === delegateCall && multiSend150.includes(target)) return requireTargets(readMultiSend(data));
  throw new NotUnderstoodError(
    'it is a delegate call to other code than the MultiSend contracts of Safe 1.4.1 and 1.5.0',
  );
}

/** `multiSend(bytes transactions)` */
const multiSendSelector = '0x8d80ff0a';
const selectorBytes = 4;

/** Offsets in one packed transaction: `operation` (1) `‖ to` (20) `‖ value` (32) `‖ data length` (32) `‖ data`. */
const targetAt = 1;
const valueAt = 21;
const lengthAt = 53;
const dataAt = 85;

/** Reads call data of Safe's MultiSend contracts. Every transaction must be a plain call. */
function readMultiSend(data: Buffer): InnerCall[] {
  if (selectorOf(data) !== multiSendSelector)
    throw new NotUnderstoodError('the MultiSend contract is called with another method than multiSend');
  const walker = createCalldataWalker(data.subarray(selectorBytes));
  const transactionsAt = walker.offset();
  walker.reach(transactionsAt);
  const transactions = walker.bytes();
  walker.end();
  const calls: InnerCall[] = [];
  for (let at = 0; at < transactions.length; ) {
    if (calls.length === maxInnerCalls) throw new NotUnderstoodError(`there are more than ${maxInnerCalls} calls`);
    const end = endOfTransaction(transactions, at);
    calls.push(readTransaction(transactions.subarray(at, end)));
    at = end;
  }
  if (calls.length === 0) throw new NotUnderstoodError('the batch is empty');
  return calls;
}

function endOfTransaction(transactions: Buffer, at: number): number {
  if (at + dataAt > transactions.length) throw new NotUnderstoodError('the call data ends too early');
  const length = BigInt(`0x${transactions.toString('hex', at + lengthAt, at + dataAt)}`);
  if (length > BigInt(transactions.length - at - dataAt)) throw new NotUnderstoodError('the call data ends too early');
  return at + dataAt + Number(length);
}

function readTransaction(transaction: Buffer): InnerCall {
  if (transaction[0] !== 0) throw new NotUnderstoodError('a batch holds a delegate call');
  const value = BigInt(`0x${transaction.toString('hex', valueAt, lengthAt)}`);
  return toInnerCall(`0x${transaction.toString('hex', targetAt, valueAt)}`, value, transaction.subarray(dataAt));
}
