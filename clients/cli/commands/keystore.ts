import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as Keystore from 'ox/Keystore';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { askPassword } from '../ask-password.ts';
import { mistake } from '../cli-error.ts';
import type { Flags } from '../config/load-config.ts';
import { readPassword } from '../config/secret-files.ts';

/** What other programs write and every one reads. */
const defaultScrypt = { n: 262_144, r: 8, p: 1 };

/** `tollfree keystore create`: a new signing key, encrypted (V3, scrypt). Never overwrites a file; prints the address. */
export async function createKeystore(flags: Flags): Promise<void> {
  if (typeof flags.out !== 'string') throw mistake('Name the file to write the keystore to: --out <file>.');
  const out = resolve(flags.out);
  const password =
    typeof flags.passwordFile === 'string'
      ? readPassword(resolve(flags.passwordFile))
      : await askPassword(
          'Password for the new keystore',
          'The keystore needs a password: use --password-file, or start at a terminal.',
        );
  const privateKey = generatePrivateKey();
  const [key, options] = await Keystore.scryptAsync({ password: password.reveal(), ...defaultScrypt });
  const keystore = { ...Keystore.encrypt(privateKey, key, options), address: privateKeyToAddress(privateKey).slice(2) };
  try {
    writeFileSync(out, `${JSON.stringify(keystore, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw mistake(`The keystore cannot be written to ${out}. An existing file is never overwritten.`, error);
  }
  process.stdout.write(`${privateKeyToAddress(privateKey)}\n`);
}
