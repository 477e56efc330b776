import type { Address } from 'viem';
import type { Secret } from '../../base/values/secret.ts';

/** A key that is here: an encrypted V3 keystore, or a raw key (dev only). */
export type LocalKeyConfig =
  | {
      readonly kind: 'keystore';
      readonly json: string;
      readonly password: Secret<string>;
      /** The key, where the keystore is being opened already. */
      readonly opening?: Promise<Secret<`0x${string}`>>;
    }
  | { readonly kind: 'raw'; readonly privateKey: Secret<`0x${string}`> };

type Elsewhere = {
  /** Whose signatures are taken; every one is checked. */
  readonly address: Address;
  /** For one signature, to its last byte. */
  readonly timeoutMs: number;
};

/** `eth_sign` of JSON-RPC, as Web3Signer and some nodes answer it. */
export type EthSignConfig = Elsewhere & {
  readonly kind: 'eth-sign';
  /** May hold a key: it is never logged or answered. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: Secret<string>;
  /** PEM; who may have issued the server's certificate, instead of those that everybody trusts. */
  readonly certificateAuthority?: string;
};

/** A key of type `ECC_SECG_P256K1`. Credentials come from where the AWS SDK looks for them. */
export type AwsKmsConfig = Elsewhere & {
  readonly kind: 'aws-kms';
  readonly keyId: string;
  readonly region: string;
  readonly endpoint?: string;
};

/** A key version of the algorithm `EC_SIGN_SECP256K1_SHA256`. Credentials are Google's application default ones. */
export type GoogleKmsConfig = Elsewhere & {
  readonly kind: 'google-kms';
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…` */
  readonly keyVersion: string;
  readonly endpoint?: string;
};

/** A key that someone else keeps, who is asked for each signature. */
type RemoteKeyConfig = EthSignConfig | AwsKmsConfig | GoogleKmsConfig;

/** A place that has a signing key. */
export type KeyConfig = LocalKeyConfig | RemoteKeyConfig;

/** A signing key. `standIns` have the same key: they are asked, in order, when those before them do not sign. */
export type SignerConfig = KeyConfig & { readonly standIns?: readonly KeyConfig[] };
