import type { Address } from 'viem';
import type { EntryPointVersion } from './entry-point-version.ts';
import type { ApiKeyRules } from './keys/api-key-rules.ts';

/**
 * A registered paymaster (DApp). `version` names a configured paymaster contract of its chain, `apiKey` is the newest of
 * those of its own that are accepted.
 */
export type Paymaster = {
  readonly paymasterId: string;
  readonly accountId: string;
  readonly name: string;
  readonly chainId: number;
  readonly version: string;
  readonly apiKey: string;
  readonly fundingWallet?: Address;
  /** Since when it answers nothing until it is resumed; Unix seconds. */
  readonly pausedAt?: number;
  /** Since when it answers nothing, for good, and is not changed any more; Unix seconds. */
  readonly retiredAt?: number;
};

/** What is set of an apiKey, and of those that it replaces while they are accepted. */
export type ApiKeySettings = {
  /** No two keys of a paymaster have the same. */
  readonly name: string;
  /** Sponsors nothing for now. The management interface takes it all the same: there it only names the paymaster. */
  readonly disabled: boolean;
  readonly rules: ApiKeyRules;
};

/**
 * One of a paymaster's apiKeys, without the key itself. `expiresAt` is absent unless it is a replaced one, which is accepted
 * until then; `lastUsedAt` is to the minute. Times are Unix seconds.
 */
export type ApiKeyRecord = ApiKeySettings & {
  readonly apiKeyId: string;
  /** Whether it is the one that the paymaster has from the beginning, which is listed with it and never deleted. */
  readonly isOwn: boolean;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly lastUsedAt?: number;
};

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
