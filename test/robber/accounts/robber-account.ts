import type { Address, Hex, SignedAuthorization } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import type { DevCall } from '../../../server/dev/user-operation/build-user-operation.ts';
import type { Work } from '../plan/plan.ts';
import type { World } from '../world.ts';

/** One account of the attacker. */
export type RobberAccount = {
  readonly sender: Address;
  /** Makes the account; `0x` for one that delegates (EIP-7702), and for one that the attacker has made. */
  readonly initCode: Hex;
  encode(calls: readonly DevCall[]): Hex | Promise<Hex>;
  sign(operation: UserOperationWithGas, paymasterAndData: Hex): Promise<Hex>;
  /** The key of a nonce that has this number; the number itself when absent. Some accounts read their validator out of it. */
  nonceKey?(number: bigint): bigint;
  /** A signature with which a validator of the attacker's does this work. */
  signWork?(work: Work): Hex;
  /** What a request and a bundle may carry. */
  readonly authorization?: {
    /** The contract that the account runs with it. */
    readonly delegate: Address;
    sign(): Promise<SignedAuthorization>;
  };
  /** Brings an account that delegates onto the chain. Others are made by their first operation, or are there. */
  settle?(): Promise<void>;
  /** What the attacker does to the account between the signature and the bundle, at their own cost. */
  change?(): Promise<void>;
  /** Makes the account again what it was before {@link change}, for the next plan. */
  restore?(): Promise<void>;
};

/** A kind of account on the development chain. */
export type AccountKind = {
  readonly name: string;
  readonly version: EntryPointVersion;
  /** Whether the service knows the code that runs when an operation lands. */
  readonly isKnown: boolean;
  /** How a request names it. */
  readonly info: { readonly name: string; readonly version: string };
  /** A signature as an honest client sends it with its request. */
  readonly placeholder: Hex;
  /** Whether a validator of the attacker's reads its work out of the signature. */
  readonly hasModule?: true;
  /** Each number is another account. */
  open(world: World, number: bigint): Promise<RobberAccount>;
};
