import { relayPolicies } from '@tollfree/contract/policy-fields';
import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from './entry-point-version.ts';

/** Bundlers that can be given operations without fees. */
export const relayKinds = ['ALTO'] as const;
export type RelayKind = (typeof relayKinds)[number];

/** How a chain's operations are relayed: the bundler that gets them, and the wallets that it pays with. */
export type RelayConfig = {
  readonly kind: RelayKind;
  /** Where the bundler takes operations without fees. May hold a key: it is never logged or answered. */
  readonly url: string;
  /** The wallets that send its bundles. Their coin is the deposit of the relay. */
  readonly executors: readonly Address[];
  /** Operations of this version alone are relayed. */
  readonly entryPoint: EntryPointVersion;
};

/** Whether a policy has operations relayed: never, where the client asks for it, or in no other way. */
export { relayPolicies };

/** An operation that was accepted for relaying. */
export type RelayedUserOperation = {
  readonly userOperationHash: Hex;
  readonly decisionId: string;
};

/** Gas limits with which an operation is relayed. Its fees are 0. */
export type RelayTerms = {
  readonly callGasLimit: bigint;
  readonly verificationGasLimit: bigint;
  readonly preVerificationGas: bigint;
  readonly decisionId: string;
};
