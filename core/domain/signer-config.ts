import { SignerSchema } from '@tollfree/contract/operator';
import type { Address } from 'viem';
import { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { address, chainId, message, text } from '../base/message-schema.ts';
import type { Secret } from '../base/values/secret.ts';

/** A local key: an encrypted V3 keystore, or a raw key (dev only). */
export type LocalKeyConfig =
  | {
      readonly kind: 'keystore';
      readonly json: string;
      readonly password: Secret<string>;
      /** The key, if the keystore is already being opened. */
      readonly opening?: Promise<Secret<`0x${string}`>>;
    }
  | { readonly kind: 'raw'; readonly privateKey: Secret<`0x${string}`> };

type Elsewhere = {
  /** The address of the expected key; every signature is checked. */
  readonly address: Address;
  /** For one complete signature. */
  readonly timeoutMs: number;
};

/** `eth_sign` over JSON-RPC, as in Web3Signer and some nodes. */
export type EthSignConfig = Elsewhere & {
  readonly kind: 'eth-sign';
  /** May contain a key: it is never logged or returned. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: Secret<string>;
  /** PEM; accepted issuers of the server's certificate, instead of the usual authorities. */
  readonly certificateAuthority?: string;
};

/** A key of type `ECC_SECG_P256K1`. The AWS SDK finds the credentials in its standard locations. */
export type AwsKmsConfig = Elsewhere & {
  readonly kind: 'aws-kms';
  readonly keyId: string;
  readonly region: string;
  readonly endpoint?: string;
};

/** A key version with the algorithm `EC_SIGN_SECP256K1_SHA256`, with Google's application default credentials. */
export type GoogleKmsConfig = Elsewhere & {
  readonly kind: 'google-kms';
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…` */
  readonly keyVersion: string;
  readonly endpoint?: string;
};

/** A key in a remote backend, which is asked for each signature. */
type RemoteKeyConfig = EthSignConfig | AwsKmsConfig | GoogleKmsConfig;

/** A location of a signing key. */
export type KeyConfig = LocalKeyConfig | RemoteKeyConfig;

/** A signing key. `standIns` have the same key: they are asked, in order, if those before them do not sign. */
export type SignerConfig = KeyConfig & { readonly standIns?: readonly KeyConfig[] };

const keyKinds = [
  'keystore',
  'raw',
  'eth-sign',
  'aws-kms',
  'google-kms',
] as const satisfies readonly KeyConfig['kind'][];

/** The location of a key, and since when it does not sign there (Unix seconds); absent while it does. */
const KeyLocationSchema = message(
  'KeyPlace',
  fieldsOfApi(SignerSchema.shape.places.element, { kind: z.enum(keyKinds) }),
);
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
  ...fieldsOfApi(SignerSchema, {
    contract: address,
    signer: address,
    state: z.enum(contractSignerStates),
    places: KeyLocationSchema,
  }),
  /** Why the contract does not accept it, and how to fix that, in sentences. */
  complaint: text.exactOptional(),
  remedy: text.exactOptional(),
});
export type ContractSigner = z.output<typeof ContractSignerSchema>;
