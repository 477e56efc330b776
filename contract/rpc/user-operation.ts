import { z } from 'zod';

const quantityError = { error: 'must be a hex string, a decimal string or a whole number' };

/**
 * A number of a user operation: hex (leading zeros allowed, `0x` for absent), decimal text, or a JSON number that a double
 * represents exactly.
 */
export const quantity = z.union([z.string(), z.int(quantityError).nonnegative(quantityError)], quantityError).nullish();

const bytes = z.string({ error: 'must be a hex string' }).nullish();

/**
 * An EIP-7702 authorization, in viem's form of an operation's `authorization`. The signature may be a placeholder until the
 * operation is sent to a bundler.
 */
export const Eip7702AuthorizationSchema = z.object(
  { address: bytes, chainId: quantity, nonce: quantity, r: quantity, s: quantity, yParity: quantity },
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
    nonce: quantity,
    initCode: bytes,
    factory: bytes,
    factoryData: bytes,
    callData: bytes,
    callGasLimit: quantity,
    verificationGasLimit: quantity,
    preVerificationGas: quantity,
    maxFeePerGas: quantity,
    maxPriorityFeePerGas: quantity,
    paymasterAndData: bytes,
    paymaster: bytes,
    paymasterData: bytes,
    paymasterVerificationGasLimit: quantity,
    paymasterPostOpGasLimit: quantity,
    signature: bytes,
    eip7702Auth: Eip7702AuthorizationSchema.nullish(),
  },
  { error: 'must be an object' },
);
export type PartialUserOperation = z.infer<typeof PartialUserOperationSchema>;

/** An operation in the form for a bundler: with EntryPoint 0.9, the paymaster's signature may be separate. */
export const BundledUserOperationSchema = PartialUserOperationSchema.extend({ paymasterSignature: bytes });
export type BundledUserOperation = z.infer<typeof BundledUserOperationSchema>;
