import { relayPolicies } from '@tollfree/contract/policy-fields';
import type { Address } from 'viem';
import type { z } from 'zod';
import { amount, hex, message, text } from '../base/message-schema.ts';
import type { EntryPointVersion } from './entry-point-version.ts';

/** Bundlers that can be given operations without fees. */
export const relayKinds = ['ALTO'] as const;
type RelayKind = (typeof relayKinds)[number];

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
export const RelayedUserOperationSchema = message('RelayedUserOperation', {
  userOperationHash: hex,
  /** Names the decision in the logs of the service. */
  decisionId: text,
});

/** Gas limits with which the operation would be relayed now. Its fees are 0. */
export const RelayTermsSchema = message('RelayTerms', {
  /** Gas. */
  callGasLimit: amount,
  /** Gas. */
  verificationGasLimit: amount,
  /** Gas. */
  preVerificationGas: amount,
  /** Names the decision in the logs of the service. */
  decisionId: text,
});
export type RelayTerms = z.output<typeof RelayTermsSchema>;
