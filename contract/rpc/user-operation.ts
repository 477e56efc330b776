import { z } from 'zod';
import { bytes, quantity } from './field-forms.ts';

/**
 * An EIP-7702 authorization, in viem's form of an operation's `authorization`. The signature may be a placeholder until the
 * operation is sent to a bundler.
 */
export const Eip7702AuthorizationSchema = z.object(
  {
    address: bytes.describe('Contract whose code the sender will have.'),
    chainId: quantity.describe('EIP-155 chain id; `0` for every chain.'),
    nonce: quantity.describe('Of the sender as an externally owned account.'),
    r: quantity,
    s: quantity,
    yParity: quantity.describe('0 or 1.'),
  },
  { error: 'must be an object' },
);

/**
 * A partial user operation (`params[0]`). It lists the fields of EntryPoint 0.6 (`initCode`, `paymasterAndData`) next
 * to those of 0.7 and later (`factory`, `paymaster`, …); the fields that are present decide the format. Other fields
 * are ignored.
 */
export const PartialUserOperationSchema = z.object(
  {
    sender: bytes,
    nonce: quantity.describe('256 bits: key and sequence.'),
    initCode: bytes.describe('EntryPoint 0.6: factory address followed by its call data.'),
    factory: bytes.describe('EntryPoint 0.7 and up.'),
    factoryData: bytes.describe('EntryPoint 0.7 and up.'),
    callData: bytes,
    callGasLimit: quantity.describe('Gas.'),
    verificationGasLimit: quantity.describe('Gas.'),
    preVerificationGas: quantity.describe('Gas.'),
    maxFeePerGas: quantity.describe('Wei per gas.'),
    maxPriorityFeePerGas: quantity.describe('Wei per gas.'),
    paymasterAndData: bytes.describe('EntryPoint 0.6.'),
    paymaster: bytes.describe('EntryPoint 0.7 and up.'),
    paymasterData: bytes.describe('EntryPoint 0.7 and up.'),
    paymasterVerificationGasLimit: quantity.describe('Gas. EntryPoint 0.7 and up.'),
    paymasterPostOpGasLimit: quantity.describe('Gas. EntryPoint 0.7 and up.'),
    signature: bytes,
    eip7702Auth: Eip7702AuthorizationSchema.nullish().describe(
      'The sender’s permission to give it the code of another contract.',
    ),
    authorization: Eip7702AuthorizationSchema.nullish().describe(
      'Another name for `eip7702Auth`, which counts if both are given.',
    ),
  },
  { error: 'must be an object' },
);
export type PartialUserOperation = z.infer<typeof PartialUserOperationSchema>;

/** An operation in the form for a bundler: with EntryPoint 0.9, the paymaster's signature may be separate. */
export const BundledUserOperationSchema = PartialUserOperationSchema.extend({
  paymasterSignature: bytes.describe('EntryPoint 0.9: the paymaster’s signature, if the account’s does not cover it.'),
});
export type BundledUserOperation = z.infer<typeof BundledUserOperationSchema>;
