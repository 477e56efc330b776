import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Key, Keystore } from 'ox/Keystore';

/** Memory that a keystore's own parameters may ask for, in bytes: four times what the usual ones do. */
const maxMemory = 2 ** 30;

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/**
 * The key that opens a keystore. OpenSSL derives it next to the event loop and some three times faster than JavaScript, which
 * is asked for what OpenSSL does not take: scrypt with a large `n` and an `r` of 1. PBKDF2 takes no time.
 */
export async function deriveKeystoreKey(keystore: Keystore, password: string): Promise<Key> {
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
