import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Key, Keystore } from 'ox/Keystore';

/** Memory that a keystore's own parameters may ask for, in bytes: four times what the usual ones do. */
const maxMemory = 2 ** 30;

type ScryptCost = { readonly n: number; readonly r: number; readonly p: number };

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/**
 * The key that opens a keystore. OpenSSL derives it beside the event loop and some three times faster than JavaScript; it
 * does not take scrypt with a large `n` and an `r` of 1, nor is there a reason to have it derive PBKDF2 keys.
 */
export async function deriveKeystoreKey(keystore: Keystore, password: string): Promise<Key> {
  const { kdfparams } = keystore.crypto;
  if (!('n' in kdfparams) || !isTakenByOpenSsl(kdfparams)) {
    return (await import('ox/Keystore')).toKeyAsync(keystore, { password });
  }
  const { n: N, r, p, salt, dklen } = kdfparams;
  const key = await derive(password, Buffer.from(salt, 'hex'), dklen, { N, r, p, maxmem: maxMemory });
  return `0x${key.toString('hex')}`;
}

/** OpenSSL wants `n` below 2^(16 r) and its memory, 128 n r bytes, within bounds. */
function isTakenByOpenSsl({ n, r, p }: ScryptCost): boolean {
  return Math.log2(n) < 16 * r && 128 * n * r + 128 * r * p < maxMemory;
}
