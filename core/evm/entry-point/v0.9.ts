import { concatHex, type Hex } from 'viem';
import type { EntryPoint } from './entry-point.ts';
import { paymasterSignatureMark, splitPaymasterSignature } from './paymaster-signature.ts';
import { entryPointSimulations09 } from './simulations.generated.ts';
import { entryPoint08 } from './v0.8.ts';

/** Leaves a signature at the end of `paymasterAndData` out of the hash, so that account and paymaster sign at the same time. */
export const entryPoint09: EntryPoint = {
  ...entryPoint08,
  version: '0.9',
  skipsNeedlessCreation: true,
  onlyEoasBundle: true,
  hash: (input) => entryPoint08.hash({ ...input, paymasterAndData: withoutPaymasterSignature(input.paymasterAndData) }),
  simulation: { ...entryPoint08.simulation, code: entryPointSimulations09 },
};

/** The mark alone stands for the signature. */
function withoutPaymasterSignature(paymasterAndData: Hex): Hex {
  const split = splitPaymasterSignature(paymasterAndData);
  return split === undefined ? paymasterAndData : concatHex([split.signed, paymasterSignatureMark]);
}
