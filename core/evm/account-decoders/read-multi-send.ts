import { createCalldataWalker, NotUnderstoodError, selectorOf } from './calldata-walker.ts';
import type { InnerCall } from './decoder.ts';
import { maxInnerCalls } from './inner-call-limits.ts';
import { toInnerCall } from './to-inner-call.ts';

/** `multiSend(bytes transactions)` */
const multiSendSelector = '0x8d80ff0a';
const selectorBytes = 4;

/** Places in one packed transaction: `operation` (1) `‖ to` (20) `‖ value` (32) `‖ data length` (32) `‖ data`. */
const targetAt = 1;
const valueAt = 21;
const lengthAt = 53;
const dataAt = 85;

/** Reads call data of Safe's MultiSend contracts. Every transaction must be a plain call. */
export function readMultiSend(data: Buffer): InnerCall[] {
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
