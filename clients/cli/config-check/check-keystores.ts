import { readFileSync } from 'node:fs';
import { type Address, getAddress, isAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { openKeystore } from '../../../core/evm/signer/open-keystore.ts';
import { readPassword } from '../config/secret-files.ts';
import { checkFiles } from './check-files.ts';
import { valueAt } from './explain-issues.ts';
import type { FoundMistake } from './mistake.ts';

type Path = readonly PropertyKey[];

/**
 * What is wrong with the keys of the chains: their password, the address that a keystore says it is of, one key twice. Only
 * files without a mistake of their own are opened; a keystore without a password file is not.
 */
export async function checkKeystores(whole: unknown): Promise<readonly FoundMistake[]> {
  const mistakes: FoundMistake[] = [];
  const opened = new Map<string, Promise<Address | undefined>>();
  for (const paths of signersOfChains(whole)) {
    const keys = new Set<Address>();
    for (const path of paths) {
      const section = valueAt(whole, path);
      const keystoreFile = valueAt(section, ['keystoreFile']);
      const passwordFile = valueAt(section, ['passwordFile']);
      if (typeof keystoreFile !== 'string' || typeof passwordFile !== 'string') continue;
      if (checkFiles(section).length > 0) continue;
      const name = JSON.stringify([keystoreFile, passwordFile]);
      // One after the other: opening a usual keystore takes 256 MiB.
      const address = await (opened.get(name) ?? openAddress(keystoreFile, passwordFile));
      opened.set(name, Promise.resolve(address));
      mistakes.push(...judge({ path, keystoreFile, address, keys }));
      if (address !== undefined) keys.add(address);
    }
  }
  return mistakes;
}

function signersOfChains(whole: unknown): readonly (readonly Path[])[] {
  const chains = valueAt(whole, ['chains']);
  if (!Array.isArray(chains)) return [];
  return chains.map((chain, index) => {
    const several = valueAt(chain, ['signers']);
    const path = ['chains', index];
    if (Array.isArray(several)) return several.map((_, place) => [...path, 'signers', place]);
    return [[...path, 'signer']];
  });
}

function judge(found: {
  readonly path: Path;
  readonly keystoreFile: string;
  readonly address: Address | undefined;
  readonly keys: ReadonlySet<Address>;
}): readonly FoundMistake[] {
  const { path, keystoreFile, address, keys } = found;
  if (address === undefined) {
    const problem = 'does not open the keystore: it is another password, or the keystore is damaged';
    const hint = 'Name the file with the password that the keystore was made with.';
    return [{ id: 'keystore-password', path: [...path, 'passwordFile'], problem, hint }];
  }
  const said = saidAddress(keystoreFile);
  if (said !== undefined && said !== address) {
    const problem = `says that it is of ${said}, but holds the key of ${address}`;
    const hint = 'Find out which one was meant: somebody has changed the file, or put two together.';
    return [{ id: 'keystore-address', path: [...path, 'keystoreFile'], problem, hint }];
  }
  if (!keys.has(address)) return [];
  const hint = 'A chain needs each of its keys once.';
  return [
    { id: 'signer-twice', path: [...path, 'keystoreFile'], problem: `holds the key of ${address} a second time`, hint },
  ];
}

/** The address of the key; undefined when the password does not open the keystore. */
async function openAddress(keystoreFile: string, passwordFile: string): Promise<Address | undefined> {
  try {
    const key = await openKeystore(readFileSync(keystoreFile, 'utf8'), readPassword(passwordFile));
    return privateKeyToAddress(key.reveal());
  } catch {
    // The error may quote what it was given.
    return undefined;
  }
}

function saidAddress(file: string): Address | undefined {
  const address = valueAt(JSON.parse(readFileSync(file, 'utf8')), ['address']);
  const prefixed = typeof address === 'string' ? `0x${address.replace(/^0x/i, '')}` : '';
  return isAddress(prefixed, { strict: false }) ? getAddress(prefixed) : undefined;
}
