import type { CalldataWalker } from './calldata-walker.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import type { CallForm, InnerCall } from './decoder.ts';
import { erc7579Forms } from './erc7579.ts';
import { readCallTuple } from './read-call.ts';

const forms: readonly CallForm[] = [
  { selector: '0x5c1c6dcd', read: readExecution }, // execute((address,uint256,bytes))
  ...erc7579Forms,
];

/**
 * MetaMask's smart accounts (both DeleGators and the EIP-7702 account). `redeemDelegations` and calls by executors are not
 * sponsored.
 */
export const metamask100 = createFormDecoder('METAMASK', '1.0.0', { '0.7': forms });

/** Reads `((address target, uint256 value, bytes callData) execution)` to the end. */
function readExecution(walker: CalldataWalker): InnerCall[] {
  const executionAt = walker.offset();
  walker.reach(executionAt);
  const call = readCallTuple(walker);
  walker.end();
  return [call];
}
