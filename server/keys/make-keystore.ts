import * as Keystore from 'ox/Keystore';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { Secret } from '../../core/base/values/secret.ts';

/** The usual parameters, which every program can read. */
const defaultScrypt = { n: 262_144, r: 8, p: 1 };

/** A new key in an encrypted V3 keystore (scrypt), as the file's text, and the key's address. */
export async function makeKeystore(password: Secret<string>): Promise<{ address: Address; text: string }> {
  const privateKey = generatePrivateKey();
  const address = privateKeyToAddress(privateKey);
  const [key, options] = await Keystore.scryptAsync({ password: password.reveal(), ...defaultScrypt });
  const keystore = { ...Keystore.encrypt(privateKey, key, options), address: address.slice(2) };
  return { address, text: `${JSON.stringify(keystore, null, 2)}\n` };
}
