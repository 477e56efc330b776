import * as Keystore from 'ox/Keystore';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { Secret } from '../../core/base/values/secret.ts';

/** What other programs write and every one reads. */
const defaultScrypt = { n: 262_144, r: 8, p: 1 };

/** A new key in an encrypted V3 keystore (scrypt), as the text of its file, and the key's address. */
export async function makeKeystore(password: Secret<string>): Promise<{ address: Address; text: string }> {
  const privateKey = generatePrivateKey();
  const address = privateKeyToAddress(privateKey);
  const [key, options] = await Keystore.scryptAsync({ password: password.reveal(), ...defaultScrypt });
  const keystore = { ...Keystore.encrypt(privateKey, key, options), address: address.slice(2) };
  return { address, text: `${JSON.stringify(keystore, null, 2)}\n` };
}
