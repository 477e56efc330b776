import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import * as Keystore from 'ox/Keystore';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { Secret } from '../../core/base/values/secret.ts';

/** The usual parameters, which every program can read. */
const defaultScrypt = { n: 262_144, r: 8, p: 1, dklen: 32 };
/** Bytes that OpenSSL may use: twice what these parameters need. */
const maxmem = 2 ** 29;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** A new key in an encrypted V3 keystore (scrypt), as the file's text, and the key's address. */
export async function makeKeystore(password: Secret<string>): Promise<{ address: Address; text: string }> {
  const privateKey = generatePrivateKey();
  const address = privateKeyToAddress(privateKey);
  const { n, r, p, dklen } = defaultScrypt;
  const salt = randomBytes(32);
  // OpenSSL takes a third of the time of JavaScript, and leaves the event loop free.
  const key = await derive(password.reveal(), salt, dklen, { N: n, r, p, maxmem });
  const kdfparams = { ...defaultScrypt, salt: salt.toString('hex') };
  const options = { kdf: 'scrypt', kdfparams, iv: randomBytes(16) } as const;
  const keystore = { ...Keystore.encrypt(privateKey, `0x${key.toString('hex')}`, options), address: address.slice(2) };
  return { address, text: `${JSON.stringify(keystore, null, 2)}\n` };
}
