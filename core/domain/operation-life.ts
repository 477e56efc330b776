import type { Address, Hex } from 'viem';
import type { OperationStatus, Settlement } from './decision.ts';

/** A step that an operation took. `at`: when the service recorded it, in Unix seconds; of a landing once it was confirmed. */
export type OperationStep = { readonly status: OperationStatus; readonly at: number };

/** A user operation that was signed, from the signature to its end. Amounts in wei. */
export type OperationLife = Omit<Settlement, 'state' | 'way'> & {
  readonly userOperationHash: Hex;
  readonly chainId: number;
  /** The paymaster contract. */
  readonly contract: Address;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly status: OperationStatus;
  /** In order of time. */
  readonly steps: readonly OperationStep[];
  /** Unix seconds; absent when it can land for ever. */
  readonly validUntil?: number;
  readonly blockNumber?: bigint;
  /** Why the calls of a failed one reverted, as far as a node tells. */
  readonly revertReason?: string;
  /** The operation that used its nonce, where an event tells. */
  readonly replacedBy?: Hex;
  /** Newest first, at most 20. */
  readonly decisionIds: readonly string[];
};
