import { readFileSync } from 'node:fs';
import { type Address, getAddress, isAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { readPassword } from '../../clients/cli/terminal/read-file.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { openKeystore } from '../../core/evm/signer/open-keystore.ts';
import { checkFiles } from './check-files.ts';
import { valueAt } from './explain-issues.ts';
import type { FoundMistake } from './mistake.ts';

type Path = readonly PropertyKey[];

/** The location of a key: a keystore, or a remote signer whose address is in the configuration. */
type Place =
  | { readonly path: Path; readonly keystoreFile: string; readonly passwordFile: string }
  | { readonly path: Path; readonly said: Address };

/** A key of a chain, and its fallback locations. */
type Signer = { readonly place: Path; readonly standIns: readonly Path[] };

/**
 * Problems with the chains' keys: their password, the address in a keystore, a key used twice, a fallback with another key,
 * a hot wallet whose key has another role. Only files without problems of their own are opened; keystores without a password
 * file are not.
 */
export async function checkKeystores(whole: unknown): Promise<readonly FoundMistake[]> {
  const mistakes: FoundMistake[] = [];
  const opened = new Map<string, Address | undefined>();
  const read = async (path: Path) => {
    const place = placeAt(whole, path);
    if (place === undefined) return undefined;
    if ('said' in place) return { address: place.said, setting: place.path };
    const name = JSON.stringify([place.keystoreFile, place.passwordFile]);
    // Sequentially: opening a typical keystore takes 256 MiB.
    if (!opened.has(name)) opened.set(name, await openAddress(place.keystoreFile, place.passwordFile));
    const address = opened.get(name);
    mistakes.push(...judge(place, address));
    return address === undefined ? undefined : { address, setting: [...path, 'keystoreFile'] };
  };
  const tasks = new Map(executorsOf(whole));
  for (const [index, signers] of signersOfChains(whole).entries()) {
    const keys = new Set<Address>();
    for (const { place, standIns } of signers) {
      const key = await read(place);
      if (key !== undefined && keys.has(key.address)) mistakes.push(twice(key.setting, key.address));
      if (key !== undefined) keys.add(key.address);
      if (key !== undefined) tasks.set(key.address, `a signer of chains[${index}]`);
      for (const standIn of standIns) {
        const other = await read(standIn);
        if (key === undefined || other === undefined || other.address === key.address) continue;
        mistakes.push(otherKey(other.setting, other.address, key.address));
      }
    }
  }
  for (const path of hotWalletsOf(whole)) {
    const key = await read(path);
    const task = key && tasks.get(key.address);
    if (key !== undefined && task !== undefined) mistakes.push(sharedHotWallet(key.setting, key.address, task));
  }
  return mistakes;
}

/** Each executor of a relay, with its setting. */
function executorsOf(whole: unknown): readonly (readonly [Address, string])[] {
  const chains = valueAt(whole, ['chains']);
  if (!Array.isArray(chains)) return [];
  return chains.flatMap((chain, index) => {
    const executors = valueAt(chain, ['bundler', 'relay', 'executors']);
    const named: readonly unknown[] = Array.isArray(executors) ? executors : [];
    return named.flatMap((one) =>
      typeof one === 'string' && isAddress(one) ? [[getAddress(one), `an executor of chains[${index}]`] as const] : [],
    );
  });
}

function hotWalletsOf(whole: unknown): readonly Path[] {
  const chains = valueAt(whole, ['chains']);
  if (!Array.isArray(chains)) return [];
  return chains.flatMap((chain, index) =>
    valueAt(chain, ['hotWallet', 'wallet']) === undefined ? [] : [['chains', index, 'hotWallet', 'wallet']],
  );
}

function signersOfChains(whole: unknown): readonly (readonly Signer[])[] {
  const chains = valueAt(whole, ['chains']);
  if (!Array.isArray(chains)) return [];
  return chains.map((chain, index) => {
    const several = valueAt(chain, ['signers']);
    const path = ['chains', index];
    const places = Array.isArray(several)
      ? several.map((_, place) => [...path, 'signers', place])
      : [[...path, 'signer']];
    return places.map((place) => {
      const standIns = valueAt(whole, [...place, 'standIns']);
      return { place, standIns: Array.isArray(standIns) ? standIns.map((_, at) => [...place, 'standIns', at]) : [] };
    });
  });
}

function placeAt(whole: unknown, path: Path): Place | undefined {
  const section = valueAt(whole, path);
  for (const elsewhere of ['ethSign', 'awsKms', 'googleKms']) {
    const said = valueAt(section, [elsewhere, 'address']);
    if (typeof said === 'string' && isAddress(said))
      return { path: [...path, elsewhere, 'address'], said: getAddress(said) };
  }
  const keystoreFile = valueAt(section, ['keystoreFile']);
  const passwordFile = valueAt(section, ['passwordFile']);
  if (typeof keystoreFile !== 'string' || typeof passwordFile !== 'string') return undefined;
  return checkFiles({ keystoreFile, passwordFile }).length > 0 ? undefined : { path, keystoreFile, passwordFile };
}

function judge(
  { path, keystoreFile }: Extract<Place, { keystoreFile: string }>,
  address: Address | undefined,
): readonly FoundMistake[] {
  if (address === undefined) {
    const problem = 'does not open the keystore: the password is wrong, or the keystore is damaged';
    const hint = 'Name the file with the keystore’s password.';
    return [{ id: 'keystore-password', path: [...path, 'passwordFile'], problem, hint }];
  }
  const said = saidAddress(keystoreFile);
  if (said === undefined || said === address) return [];
  const problem = `claims the address ${said}, but holds the key of ${address}`;
  const hint = 'Find out which key is the right one: the file was changed, or two files were mixed up.';
  return [{ id: 'keystore-address', path: [...path, 'keystoreFile'], problem, hint }];
}

function twice(path: Path, address: Address): FoundMistake {
  const problem = `leads to the key of ${address} a second time`;
  return { id: 'signer-twice', path, problem, hint: 'A chain needs each of its keys once.' };
}

function sharedHotWallet(path: Path, address: Address, task: string): FoundMistake {
  const problem = `leads to the key of ${address}, which is also ${task}`;
  return { id: 'hot-wallet-key', path, problem, hint: 'Give the hot wallet a key of its own.' };
}

function otherKey(path: Path, address: Address, signers: Address): FoundMistake {
  const problem = `leads to the key of ${address}, but its signer has that of ${signers}`;
  return { id: 'stand-in-key', path, problem, hint: 'A fallback signer must have the same key.' };
}

/** The address of the key; undefined when the password is wrong. */
async function openAddress(keystoreFile: string, passwordFile: string): Promise<Address | undefined> {
  try {
    const key = await openKeystore(readFileSync(keystoreFile, 'utf8'), new Secret(readPassword(passwordFile)));
    return privateKeyToAddress(key.reveal());
  } catch {
    // The error may quote its input.
    return undefined;
  }
}

function saidAddress(file: string): Address | undefined {
  const address = valueAt(JSON.parse(readFileSync(file, 'utf8')), ['address']);
  const prefixed = typeof address === 'string' ? `0x${address.replace(/^0x/i, '')}` : '';
  return isAddress(prefixed, { strict: false }) ? getAddress(prefixed) : undefined;
}
