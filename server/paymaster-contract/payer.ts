import { resolve } from 'node:path';
import { type Address, getAddress, type Hex, isAddress } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { openWallet } from '../../clients/cli/open-wallet.ts';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { readNamedFile, readPrivateFile } from '../../clients/cli/terminal/read-file.ts';

/** The sender and payer of a transaction. A keystore is only opened to sign, so that a dry run needs no password. */
export type Payer = { readonly address: Address; open(): Promise<LocalAccount> };

/** The account of `--keystore`, or of the private key in the file of `--key-file`. */
export async function findPayer(flags: Flags): Promise<Payer> {
  const keystore = textFlag(flags, 'keystore');
  const keyFile = textFlag(flags, 'keyFile');
  if (keystore !== undefined && keyFile !== undefined) throw mistake('Give --keystore or --key-file, not both.');
  if (keyFile !== undefined) {
    const account = readKeyFile(resolve(keyFile));
    return { address: account.address, open: async () => account };
  }
  if (keystore === undefined) throw mistake('Name the payer: --keystore <file>, or --key-file <file>.');
  const file = resolve(keystore);
  const address = readKeystoreAddress(file);
  if (address === undefined) {
    const account = await openWallet(file, flags);
    return { address: account.address, open: async () => account };
  }
  const open = async () => {
    const account = await openWallet(file, flags);
    if (account.address === address) return account;
    throw mistake(`The keystore ${file} claims the address ${address}, but holds the key of ${account.address}.`);
  };
  return { address, open };
}

/** The address in a keystore file. It is not encrypted, and not every program writes it. */
export function readKeystoreAddress(file: string): Address | undefined {
  const text = readNamedFile(file, 'The keystore');
  try {
    const { address }: { address?: unknown } = JSON.parse(text);
    const prefixed = typeof address === 'string' ? `0x${address.replace(/^0x/i, '')}` : '';
    return isAddress(prefixed, { strict: false }) ? getAddress(prefixed) : undefined;
  } catch {
    throw mistake(`${file} is not an encrypted V3 keystore.`);
  }
}

function readKeyFile(file: string): LocalAccount {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(readPrivateFile(file, 'The key file').trim())?.[1];
  if (digits === undefined) throw mistake(`The key file ${file} must hold a private key of 64 hex digits.`);
  const key: Hex = `0x${digits}`;
  try {
    return privateKeyToAccount(key);
  } catch {
    // No cause: its message could quote the key.
    throw mistake(`The key file ${file} holds no private key.`);
  }
}
