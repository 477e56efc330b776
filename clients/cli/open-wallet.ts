import { resolve } from 'node:path';
import * as Keystore from 'ox/Keystore';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { mistake } from './terminal/cli-error.ts';
import { type Flags, textFlag } from './terminal/flags.ts';
import { askPassword } from './terminal/prompts.ts';
import { readNamedFile, readPassword } from './terminal/read-file.ts';

/** Decryption checks the inner shape: the MAC covers key and ciphertext. */
const KeystoreSchema = z.looseObject({ crypto: z.unknown(), version: z.literal(3) });

/** Opens the wallet in an encrypted V3 keystore, with the password of `--password-file` or asked at the terminal. */
export async function openWallet(file: string, flags: Flags): Promise<PrivateKeyAccount> {
  const passwordFile = textFlag(flags, 'passwordFile');
  const password =
    passwordFile === undefined
      ? await askPassword(
          `Password of ${file}`,
          'The keystore needs a password: use --password-file, or start at a terminal.',
        )
      : readPassword(resolve(passwordFile));
  return openWalletWith(file, password);
}

/** Opens the wallet of an unencrypted private key: 64 hex digits, with or without `0x`. */
export function openKeyFile(file: string): PrivateKeyAccount {
  const digits = readNamedFile(file, 'The key file').trim().replace(/^0x/, '');
  // The text is not repeated: it may be another secret.
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw mistake(`${file} does not hold a private key of 64 hex digits.`);
  return privateKeyToAccount(`0x${digits}`);
}

export async function openWalletWith(file: string, password: string): Promise<PrivateKeyAccount> {
  const text = readNamedFile(file, 'The keystore');
  return privateKeyToAccount(await decrypt(parseKeystore(text, file), password, file));
}

function parseKeystore(text: string, file: string): Keystore.Keystore {
  try {
    return KeystoreSchema.parse(JSON.parse(text)) as unknown as Keystore.Keystore;
  } catch {
    throw mistake(`${file} is not an encrypted V3 keystore.`);
  }
}

async function decrypt(keystore: Keystore.Keystore, password: string, file: string): Promise<`0x${string}`> {
  try {
    const key = await Keystore.toKeyAsync(keystore, { password });
    return Keystore.decrypt(keystore, key);
  } catch {
    // No cause: its message could repeat its input.
    throw mistake(`The keystore ${file} could not be opened. The password is wrong or the file is damaged.`);
  }
}
