import type { Address } from 'viem';
import type { z } from 'zod';
import { amount, hex, message, text } from '../base/message-schema.ts';
import type { EntryPointVersion } from './entry-point-version.ts';

/** Bundlers that accept operations without fees. */
export const relayKinds = ['ALTO'] as const;
type RelayKind = (typeof relayKinds)[number];

/** How a chain's operations are relayed: through this bundler, paid by its wallets. */
export type RelayConfig = {
  readonly kind: RelayKind;
  /** Where the bundler accepts operations without fees. May contain a key: it is never logged or returned. */
  readonly url: string;
  /** The wallets that send its bundles. Their coin is the deposit of the relay. */
  readonly executors: readonly Address[];
  /** Only operations of this version are relayed. */
  readonly entryPoint: EntryPointVersion;
};

/** An operation that was accepted for relaying. */
export const RelayedUserOperationSchema = message('RelayedUserOperation', {
  userOperationHash: hex,
  /** Identifies the decision in the logs of the service. */
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
  /** Identifies the decision in the logs of the service. */
  decisionId: text,
});
export type RelayTerms = z.output<typeof RelayTermsSchema>;
