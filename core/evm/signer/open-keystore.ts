import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Key, Keystore } from 'ox/Keystore';
import type { Address, Hex, TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Secret } from '../../base/values/secret.ts';
import type { LocalKeyConfig } from '../../domain/signer-config.ts';
import { SignerConfigError } from './signer.ts';

/** A key that signs transactions. A {@link Signer} cannot: it only signs EIP-191 messages. */
export type HotWallet = {
  readonly address: Address;
  signTransaction(transaction: TransactionSerializable): Promise<Hex>;
};

/**
 * Opens the key of a wallet that sends transactions.
 *
 * @throws SignerConfigError when the keystore cannot be read or the password is wrong.
 */
export async function openHotWallet(config: LocalKeyConfig): Promise<HotWallet> {
  const key =
    config.kind === 'raw' ? config.privateKey : await (config.opening ?? openKeystore(config.json, config.password));
  const account = privateKeyToAccount(key.reveal());
  return { address: account.address, signTransaction: (transaction) => account.signTransaction(transaction) };
}

/**
 * Opens an encrypted V3 keystore. The key derivation starts in another thread before the decryption code is loaded: both are
 * slow, and the service starts with them.
 *
 * @throws SignerConfigError when the keystore cannot be read or the password is wrong.
 */
export async function openKeystore(json: string, password: Secret<string>): Promise<Secret<`0x${string}`>> {
  const keystore = parseKeystore(json);
  try {
    const [key, { decrypt }] = await Promise.all([
      deriveKeystoreKey(keystore, password.reveal()),
      import('ox/Keystore'),
    ]);
    return new Secret(decrypt(keystore, key));
  } catch {
    // No cause: its message could repeat its input.
    throw new SignerConfigError('The keystore could not be opened. The password is wrong or the file is damaged.');
  }
}

function parseKeystore(json: string): Keystore {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new SignerConfigError('The keystore file is not JSON.');
  }
  if (typeof parsed !== 'object' || parsed === null || !('crypto' in parsed) || !('version' in parsed)) {
    throw new SignerConfigError('The keystore file is not an encrypted V3 keystore.');
  }
  if (parsed.version !== 3) throw new SignerConfigError('The keystore file is not version 3.');
  // Decryption checks the inner shape: the MAC covers key and ciphertext.
  return parsed as Keystore;
}

/** Memory that a keystore's parameters may request, in bytes: four times the usual amount. */
const maxMemory = 2 ** 30;

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/**
 * The key that opens a keystore. OpenSSL derives it outside the event loop and about three times faster than JavaScript.
 * JavaScript handles what OpenSSL refuses: scrypt with a large `n` and an `r` of 1. PBKDF2 is fast anyway.
 */
async function deriveKeystoreKey(keystore: Keystore, password: string): Promise<Key> {
  const { kdfparams } = keystore.crypto;
  const derived = 'n' in kdfparams ? await deriveByOpenSsl(kdfparams, password) : undefined;
  return derived ?? (await import('ox/Keystore')).toKeyAsync(keystore, { password });
}

/** Undefined when OpenSSL does not support these parameters. */
async function deriveByOpenSsl(
  { n: N, r, p, salt, dklen }: Extract<Keystore['crypto']['kdfparams'], { readonly n: number }>,
  password: string,
): Promise<Key | undefined> {
  try {
    const key = await derive(password, Buffer.from(salt, 'hex'), dklen, { N, r, p, maxmem: maxMemory });
    return `0x${key.toString('hex')}`;
  } catch {
    return undefined;
  }
}
