import { writeFileSync } from 'node:fs';
import * as Keystore from 'ox/Keystore';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

/** Opens in a moment, for any password: nothing is kept secret with it. */
const cheapScrypt = { n: 1024, r: 8, p: 1 };

/**
 * Writes a keystore with a key, a new one if none is given, as `tollfree keystore create` does but for the cost, and answers
 * its address.
 */
export function writeKeystore(file: string, password: string, privateKey: Hex = generatePrivateKey()): Address {
  const [key, options] = Keystore.scrypt({ password, ...cheapScrypt });
  writeFileSync(file, JSON.stringify(Keystore.encrypt(privateKey, key, options)));
  return privateKeyToAddress(privateKey);
}
