import { z } from 'zod';
import { address, chainId, listOf, message, seconds, text } from '../../base/message-schema.ts';
import type { KeyConfig } from './signer-config.ts';

const keyKinds = [
  'keystore',
  'raw',
  'eth-sign',
  'aws-kms',
  'google-kms',
] as const satisfies readonly KeyConfig['kind'][];

/** The location of a key, and since when it does not sign there (Unix seconds); absent while it does. */
const KeyLocationSchema = message('KeyPlace', {
  kind: z.enum(keyKinds),
  /** Since when it does not sign there. Absent while it does. */
  awaySince: seconds.exactOptional(),
});
export type KeyLocation = z.output<typeof KeyLocationSchema>;

/**
 * `signs`: the one that signs. `not-trusted`: a newer one that the contract does not accept yet. `stands-by`: an older one,
 * in case the contract removes the signing one. `not-asked`: the chain has not answered since startup. `former`: no longer
 * in the configuration.
 */
const contractSignerStates = ['signs', 'not-trusted', 'stands-by', 'not-asked', 'former'] as const;
export type ContractSignerState = (typeof contractSignerStates)[number];

/** A key of a paymaster contract, for the operator. Nothing secret. Times in Unix seconds. */
export const ContractSignerSchema = message('ContractSigner', {
  chainId,
  contract: address,
  signer: address,
  state: z.enum(contractSignerStates),
  /** In order of use. Empty for a former key. */
  places: listOf(KeyLocationSchema),
  /** When it began to sign. */
  since: seconds.exactOptional(),
  until: seconds.exactOptional(),
  /**
   * For a key that no longer signs: when the last of its signatures expires; absent once the contract need not accept it.
   */
  openUntil: seconds.exactOptional(),
  /** Why the contract does not accept it, and how to fix that, in sentences. */
  complaint: text.exactOptional(),
  remedy: text.exactOptional(),
});
export type ContractSigner = z.output<typeof ContractSignerSchema>;
