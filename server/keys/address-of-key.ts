import type { Address } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { readNamedFile, readPassword } from '../../clients/cli/terminal/read-file.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { openKeystore } from '../../core/evm/signer/open-keystore.ts';
import type { KeySection } from '../config/signer-schema.ts';
import { readKeystoreAddress } from '../paymaster-contract/payer.ts';

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
