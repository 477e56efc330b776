import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { GasLimits, UserOperationWithGas } from '../../domain/user-operation.ts';
import { addressWord, keccakDigits, uintDigits } from '../abi/hex-digits.ts';

/** An operation with its final `paymasterAndData`, and the place where it is going to be executed. */
export type OperationToHash = {
  readonly operation: UserOperationWithGas;
  readonly paymasterAndData: Hex;
  readonly entryPoint: Address;
  readonly chainId: number;
};

/** Everything in which one version of the EntryPoint differs from the others. */
export type EntryPoint = {
  readonly version: EntryPointVersion;
  /**
   * Whether operations are packed (ERC-4337 `PackedUserOperation`): clients send factory and paymaster in parts, the paymaster
   * has two gas limits of its own, and `executeUserOp` gives the account the whole operation. 0.6 has none of that, and its
   * `verificationGasLimit` bounds the paymaster's validation and `postOp` too.
   */
  readonly isPacked: boolean;
  /** Bytes of `paymasterAndData` before the contract's own data. */
  readonly paymasterHeadBytes: number;
  /** Whether `initCode` may begin with the EIP-7702 marker; others take the marker for the address of a factory. */
  readonly knowsEip7702Marker: boolean;
  /** Whether it leaves an `initCode` out where the sender has code already; others fail with AA10. */
  readonly skipsNeedlessCreation: boolean;
  /** Whether only an account without code can bundle; elsewhere a contract can, and it publishes no call data. */
  readonly onlyEoasBundle: boolean;
  /** Gas that the required prefund pays for, at `maxFeePerGas`. */
  requiredGas(gas: GasLimits): bigint;
  /** The userOpHash, as the function `getUserOpHash` computes it. */
  hash(operation: OperationToHash): Hex;
  /** The operation as an argument of the EntryPoint, for viem. */
  toStruct(operation: UserOperationWithGas, paymasterAndData: Hex): object;
  /** The operation ABI-encoded, without the offset in front of it. */
  encode(operation: UserOperationWithGas, paymasterAndData: Hex): Hex;
  /** Call data of `handleOps` with this one operation. */
  encodeHandleOps(operation: UserOperationWithGas, paymasterAndData: Hex, beneficiary: Address): Hex;
  readonly simulation: EntryPointSimulation;
};

/** How operations of a version are simulated with `simulateHandleOp`. */
type EntryPointSimulation = {
  /** Code that simulates instead of the EntryPoint's own, for a state override. Absent: the EntryPoint does it itself. */
  readonly code?: Hex;
  /** Storage that this code needs at the EntryPoint's address: words by slot. */
  readonly storage?: (entryPoint: Address, chainId: number) => Readonly<Record<Hex, Hex>>;
  /** Wei that were paid; undefined where the simulation ended with an error. Throws where the answer has another form. */
  readPaid(answer: Hex, returned: boolean): bigint | undefined;
  /** Whether a prefund that does not suffice undoes the call and is kept, instead of reverting with AA51. */
  readonly keepsShortPrefund: boolean;
  /**
   * Gas that it burns for the paymaster's validation next to the paymaster itself: measured with the published contracts. Only
   * the place where the search for the verification limit begins: it takes longer from another one.
   */
  readonly paymasterOverhead: bigint;
};

/** The hash of an operation's fields, bound to the EntryPoint and the chain as 0.6 and 0.7 do it. */
export function hashForChain(fieldsHash: string, { entryPoint, chainId }: OperationToHash): Hex {
  return `0x${keccakDigits(fieldsHash + addressWord(entryPoint) + uintDigits(chainId, 32))}`;
}
