import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import * as Keystore from 'ox/Keystore';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { readNamedFile, readPassword } from '../clients/cli/terminal/read-file.ts';
import { Secret } from '../core/base/values/secret.ts';
import { openKeystore } from '../core/evm/signer/open-keystore.ts';
import type { KeySection } from './config/signer-schema.ts';
import { readKeystoreAddress } from './paymaster-contract/payer.ts';

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

/**
 * The address of a key, without its password if the keystore contains it. Undefined if neither works, or the files cannot be
 * read: the configuration check reports that.
 */
export async function addressOfKey({
  keystoreFile,
  passwordFile,
  ethSign,
  awsKms,
  googleKms,
}: KeySection): Promise<Address | undefined> {
  const elsewhere = ethSign ?? awsKms ?? googleKms;
  if (elsewhere !== undefined) return elsewhere.address;
  if (keystoreFile === undefined) return undefined;
  try {
    const address = readKeystoreAddress(keystoreFile);
    if (address !== undefined || passwordFile === undefined) return address;
    const key = await openKeystore(readNamedFile(keystoreFile, 'The keystore'), new Secret(readPassword(passwordFile)));
    return privateKeyToAddress(key.reveal());
  } catch {
    return undefined;
  }
}
