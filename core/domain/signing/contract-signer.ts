import type { Address } from 'viem';
import type { KeyConfig } from './signer-config.ts';

export const keyKinds = [
  'keystore',
  'raw',
  'eth-sign',
  'aws-kms',
  'google-kms',
] as const satisfies readonly KeyConfig['kind'][];

/** Where a key is, and since when it does not sign there (Unix seconds); absent while it does. */
export type KeyLocation = { readonly kind: KeyConfig['kind']; readonly awaySince?: number };

/**
 * `signs`: the one that signs. `not-trusted`: a newer one that the contract does not accept yet. `stands-by`: an older one,
 * in case the contract loses the one that signs. `not-asked`: the chain has not answered since the start. `former`: no longer
 * in the configuration.
 */
export const contractSignerStates = ['signs', 'not-trusted', 'stands-by', 'not-asked', 'former'] as const;
export type ContractSignerState = (typeof contractSignerStates)[number];

/** A key of a paymaster contract, for the operator. Nothing secret. Times in Unix seconds. */
export type ContractSigner = {
  readonly chainId: number;
  readonly contract: Address;
  readonly signer: Address;
  readonly state: ContractSignerState;
  /** In the order in which they are asked; empty for a former one. */
  readonly places: readonly KeyLocation[];
  /** When it began and ceased to sign. */
  readonly since?: number;
  readonly until?: number;
  /** Of one that has ceased: when the last of its signatures ends; absent once the contract need not accept it. */
  readonly openUntil?: number;
  /** Why the contract does not accept it, and what fixes that, in sentences. */
  readonly complaint?: string;
  readonly remedy?: string;
};
