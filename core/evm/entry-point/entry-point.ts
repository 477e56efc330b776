import { LRUCache } from 'lru-cache';
import { type Address, getContractAddress, type Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { UnitPrices } from '../../domain/unit-prices.ts';
import type { GasLimits, UserOperationWithGas } from '../../domain/user-operation.ts';
import { addressWord, keccakDigits, uintDigits } from '../abi/hex-digits.ts';

/** An operation with its final `paymasterAndData`, and the EntryPoint and chain that will execute it. */
export type OperationToHash = {
  readonly operation: UserOperationWithGas;
  readonly paymasterAndData: Hex;
  readonly entryPoint: Address;
  readonly chainId: number;
};

/** Everything that differs between versions of the EntryPoint. */
export type EntryPoint = {
  readonly version: EntryPointVersion;
  /**
   * Whether operations are packed (ERC-4337 `PackedUserOperation`): clients send factory and paymaster in parts, the
   * paymaster has two gas limits of its own, and `executeUserOp` passes the whole operation to the account. 0.6 has none of
   * these; its `verificationGasLimit` also bounds the paymaster's validation and `postOp`.
   */
  readonly isPacked: boolean;
  /** Bytes of `paymasterAndData` before the contract's own data. */
  readonly paymasterHeadBytes: number;
  /** Whether `initCode` may begin with the EIP-7702 marker; other versions read the marker as a factory address. */
  readonly knowsEip7702Marker: boolean;
  /** Whether the EntryPoint ignores `initCode` when the sender already has code; other versions fail with AA10. */
  readonly skipsNeedlessCreation: boolean;
  /** Gas that the required prefund pays for, at `maxFeePerGas`. */
  requiredGas(gas: GasLimits): bigint;
  /** The userOpHash, as computed by `getUserOpHash`. */
  hash(operation: OperationToHash): Hex;
  /** The operation as an argument of the EntryPoint, for viem. */
  toStruct(operation: UserOperationWithGas, paymasterAndData: Hex): object;
  /** The operation ABI-encoded, without the offset in front of it. */
  encode(operation: UserOperationWithGas, paymasterAndData: Hex): Hex;
  /** Call data of `handleOps` with only this operation. */
  encodeHandleOps(operation: UserOperationWithGas, paymasterAndData: Hex, beneficiary: Address): Hex;
  readonly simulation: EntryPointSimulation;
};

/** How to simulate operations of a version with `simulateHandleOp`. */
type EntryPointSimulation = {
  /** Simulation code for a state override. Absent if the EntryPoint can simulate by itself. */
  readonly code?: Hex;
  /** Storage words, by slot, that this code needs at the EntryPoint's address. */
  readonly storage?: (entryPoint: Address, chainId: number) => Readonly<Record<Hex, Hex>>;
  /** Wei that were paid; undefined if the simulation ended with an error. Throws for an answer of unknown form. */
  readPaid(answer: Hex, returned: boolean): bigint | undefined;
  /** Whether an insufficient prefund reverts only the call and is still charged, instead of reverting with AA51. */
  readonly keepsShortPrefund: boolean;
  /**
   * Gas burned for the paymaster's validation in addition to the paymaster itself, measured with the published contracts. It
   * is only the starting point of the search for the verification limit; a wrong value only makes the search longer.
   */
  paymasterOverhead(prices: UnitPrices): bigint;
};

/** The hash of an operation's fields, bound to the EntryPoint and the chain, as 0.6 and 0.7 compute it. */
export function hashForChain(fieldsHash: string, { entryPoint, chainId }: OperationToHash): Hex {
  return `0x${keccakDigits(fieldsHash + addressWord(entryPoint) + uintDigits(chainId, 32))}`;
}

/** Most EntryPoints whose SenderCreator is cached; the configuration has only a few. */
const maxRemembered = 100;
const remembered = new LRUCache<Address, Address>({ max: maxRemembered });

/** The SenderCreator of an EntryPoint: the first contract that its constructor creates. */
export function senderCreatorOf(entryPoint: Address): Address {
  const known = remembered.get(entryPoint) ?? getContractAddress({ from: entryPoint, nonce: 1n });
  remembered.set(entryPoint, known);
  return known;
}
