import { concatHex, type Hex } from 'viem';
import type { EntryPoint } from './entry-point.ts';
import { paymasterSignatureMark, splitPaymasterSignature } from './paymaster-signature.ts';
import { entryPointSimulations } from './simulations.generated.ts';
import { entryPoint08 } from './v0.8.ts';

/**
 * Excludes a signature at the end of `paymasterAndData` from the hash, so that account and paymaster can sign in parallel.
 */
export const entryPoint09: EntryPoint = {
  ...entryPoint08,
  version: '0.9',
  skipsNeedlessCreation: true,
  hash: (input) => entryPoint08.hash({ ...input, paymasterAndData: withoutPaymasterSignature(input.paymasterAndData) }),
  simulation: { ...entryPoint08.simulation, code: entryPointSimulations['0.9'] },
};

/** Only the mark represents the signature. */
function withoutPaymasterSignature(paymasterAndData: Hex): Hex {
  const split = splitPaymasterSignature(paymasterAndData);
  return split === undefined ? paymasterAndData : concatHex([split.signed, paymasterSignatureMark]);
}
