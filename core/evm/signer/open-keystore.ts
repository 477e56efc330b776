import type { Keystore } from 'ox/Keystore';
import { Secret } from '../../base/values/secret.ts';
import { deriveKeystoreKey } from './derive-keystore-key.ts';
import { SignerConfigError } from './signer-config-error.ts';

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
