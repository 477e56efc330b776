import type { Address } from 'viem';
import type { EntryPointVersion } from './entry-point-version.ts';

/**
 * A registered paymaster (DApp). `version` names a configured paymaster contract of its chain, `apiKey` is the newest of
 * those that are accepted.
 */
export type Paymaster = {
  readonly paymasterId: string;
  readonly accountId: string;
  readonly name: string;
  readonly chainId: number;
  readonly version: string;
  readonly apiKey: string;
  readonly fundingWallet?: Address;
};

/**
 * One of a paymaster's apiKeys that are accepted, without the key itself. `expiresAt` is absent for the newest one: a
 * replaced one is accepted until then. Times are Unix seconds.
 */
export type ApiKeyRecord = { readonly apiKeyId: string; readonly createdAt: number; readonly expiresAt?: number };

/** A new apiKey with its record. */
export type NewApiKey = { readonly apiKey: string; readonly record: ApiKeyRecord };

/** A paymaster contract that the operator has configured: paymasters name it by its `version`. */
export type ServedContract = {
  readonly version: string;
  /** Name of the kind of contract. */
  readonly family: string;
  readonly address: Address;
  readonly entryPointVersion: EntryPointVersion;
  readonly entryPoint: Address;
};

/** A chain that is configured, with what a paymaster can be registered for there. */
export type ServedChain = {
  readonly chainId: number;
  readonly name: string;
  readonly contracts: readonly ServedContract[];
  /** Where people look at its transactions (`/tx/…`) and addresses (`/address/…`); none when absent. */
  readonly explorerPageUrl?: string;
};
