import { type Hex, slice } from 'viem';
import { splitPaymasterSignature } from './paymaster-signature.ts';

/** Bytes before the contract's own data, from EntryPoint 0.7 on. */
const headBytes = 52;

/**
 * The values that clients put into `paymasterData` and `paymasterSignature` of an EntryPoint 0.9 operation; undefined where
 * the signature is inside the data.
 */
export function trailingData(
  paymasterAndData: Hex,
): { readonly paymasterData: Hex; readonly paymasterSignature: Hex } | undefined {
  const split = splitPaymasterSignature(paymasterAndData);
  if (split === undefined) return undefined;
  return { paymasterData: slice(split.signed, headBytes), paymasterSignature: split.paymasterSignature };
}
