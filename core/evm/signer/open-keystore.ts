import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Key, Keystore } from 'ox/Keystore';
import { Secret } from '../../base/values/secret.ts';
import { SignerConfigError } from './signer.ts';

/**
 * Opens an encrypted V3 keystore. Its key is being derived, in another thread, before what decrypts it is loaded: both
 * take long, and a service starts with them.
 *
 * @throws SignerConfigError when it cannot be read or the password does not open it.
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
    // The cause is left out on purpose: it may quote what it was given.
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
  // Its inner shape is checked by decrypting it: the MAC covers key and ciphertext.
  return parsed as Keystore;
}

/** Memory that a keystore's own parameters may ask for, in bytes: four times what the usual ones do. */
const maxMemory = 2 ** 30;

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/**
 * The key that opens a keystore. OpenSSL derives it next to the event loop and some three times faster than JavaScript, which
 * is asked for what OpenSSL does not take: scrypt with a large `n` and an `r` of 1. PBKDF2 takes no time.
 */
async function deriveKeystoreKey(keystore: Keystore, password: string): Promise<Key> {
  const { kdfparams } = keystore.crypto;
  const derived = 'n' in kdfparams ? await deriveByOpenSsl(kdfparams, password) : undefined;
  return derived ?? (await import('ox/Keystore')).toKeyAsync(keystore, { password });
}

/** Undefined when OpenSSL does not take these parameters. */
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
