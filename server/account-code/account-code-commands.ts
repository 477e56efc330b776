import { type Address, getAddress, type Hex, isAddress, keccak256, pad } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
import { isConfirmed } from '../../clients/cli/terminal/prompts.ts';
import type { KnownAccountsConfig } from '../../core/domain/known-accounts-config.ts';
import {
  beaconImplementationSlot,
  implementationSlot,
  knownBeaconHashes,
  knownHelpers,
} from '../../core/evm/account-codes/find-in-catalogue.ts';
import { knownAccounts } from '../../core/evm/account-codes/known-accounts.ts';
import { addressInWord } from '../../core/evm/account-codes/known-code.ts';
import {
  createKnownCodeTable,
  type Delegation,
  hasMark,
  type KnownCodeTable,
} from '../../core/evm/account-codes/known-code-table.ts';
import { accountDecoders, findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { type KnownCodeList, namesAccount } from '../../core/node/account-codes/seen-account.ts';
import { loadConfig, withOwnConfig } from '../config/load-config.ts';
import { askChain, type ChainAccess, openChain } from '../paymaster-contract/configured-contract.ts';
import { type ListedCode, listedCode, removeKnownCode, writeKnownCode } from './known-code-file.ts';

/**
 * `tollfree account-code add`: reads the code at an address, and adds its unknown parts to the configuration by their hash,
 * after showing them and asking the operator.
 */
export async function addAccountCode(given: string, flags: Flags): Promise<void> {
  if (!isAddress(given)) throw mistake('The address must have 0x and 40 hex digits.');
  const own = withOwnConfig(flags);
  const access = await openChain(loadConfig(own), own);
  const { chainId, accounts } = access.chain;
  const found = await followAccountCode(access, getAddress(given), claimedRole(flags));
  const added = entriesOf(found, accounts, flags);
  showFound(flags, found);
  const answer = { chainId, found, entries: toAccounts(added) };
  if (added.length === 0) {
    return printAnswer(flags, { ...answer, added: false }, () => printHint('All of it is known. Nothing was added.'));
  }
  const print = flags.json === true ? printHint : printLine;
  print(`\nTo add to accounts of chain ${chainId}:\n${JSON.stringify(toAccounts(added), undefined, 2)}`);
  printHint('Nothing verifies what this code does. Add it only if you have read it.');
  const isWanted = await isConfirmed(flags, 'Sponsor accounts with this code?');
  if (isWanted) writeKnownCode(own, chainId, added);
  printAnswer(flags, { ...answer, added: isWanted }, () =>
    printHint(isWanted ? takesEffect : 'Nothing was added. Add it with --yes.'),
  );
}

/** `tollfree account-code list`: what the operator has added to the published code. */
export function listAccountCodes(flags: Flags): void {
  const { chains = [] } = loadConfig(withOwnConfig(flags));
  const wanted = textFlag(flags, 'chain');
  const listed = chains
    .filter(({ chainId }) => wanted === undefined || String(chainId) === wanted)
    .flatMap(({ chainId, accounts }) => listedCode(accounts).map(({ list, entry }) => ({ chainId, list, ...entry })));
  printAnswer(flags, listed, () =>
    printRows(
      listed.map(({ chainId, list, name, version, codeHash }) => ({
        chain: String(chainId),
        list,
        account: name === undefined ? '-' : `${name} ${version}`,
        codeHash,
      })),
      'No code was added. The published code is in the page "Known account code".',
    ),
  );
}

/** `tollfree account-code remove`: accounts with this code are no longer sponsored. */
export async function removeAccountCode(codeHash: string, flags: Flags): Promise<void> {
  const own = withOwnConfig(flags);
  const { chains = [] } = loadConfig(own);
  const wanted = textFlag(flags, 'chain');
  const index = wanted === undefined ? 0 : chains.findIndex(({ chainId }) => String(chainId) === wanted);
  const chain = chains[index];
  if (chain === undefined || (wanted === undefined && chains.length > 1)) {
    throw mistake(`Name the chain: --chain, one of ${chains.map(({ chainId }) => chainId).join(', ')}.`);
  }
  const removed = listedCode(chain.accounts).filter(({ entry }) => entry.codeHash === codeHash.toLowerCase());
  const [first] = removed;
  if (first === undefined) throw mistake(`No code with the hash ${codeHash} was added on chain ${chain.chainId}.`);
  const print = flags.json === true ? printHint : printLine;
  print(`To remove from accounts of chain ${chain.chainId}:\n${JSON.stringify(toAccounts(removed), undefined, 2)}`);
  const isWanted = await isConfirmed(flags, 'Refuse accounts with this code from now on?');
  if (isWanted) removeKnownCode(own, chain.chainId, first.entry.codeHash);
  printAnswer(flags, { chainId: chain.chainId, entries: toAccounts(removed), removed: isWanted }, () =>
    printHint(isWanted ? takesEffect : 'Nothing was removed. Remove it with --yes.'),
  );
}

const takesEffect = 'Written. Running cores that read this file take it within seconds, and log it.';

function claimedRole(flags: Flags): ClaimedRole | undefined {
  const role = textFlag(flags, 'usedAs');
  if (role === undefined || isClaimedRole(role)) return role;
  throw mistake(`--used-as must be one of ${claimedRoles.join(', ')}.`);
}

function showFound(flags: Flags, found: readonly FoundCode[]): void {
  const print = flags.json === true ? printHint : printLine;
  for (const { address, codeHash, what } of found) print(`${address}  ${codeHash}  ${what}`);
}

/** The entries for unknown code. */
function entriesOf(
  found: readonly FoundCode[],
  accounts: KnownAccountsConfig | undefined,
  flags: Flags,
): readonly ListedCode[] {
  const isListed = (list: string, codeHash: Hex) =>
    listedCode(accounts).some((one) => one.list === list && one.entry.codeHash === codeHash);
  return found.flatMap(({ list, codeHash }): readonly ListedCode[] => {
    if (list === undefined || isListed(list, codeHash)) return [];
    return [{ list, entry: namesAccount(list) ? { ...readAccount(flags), codeHash } : { codeHash } }];
  });
}

/** The account kind that reads calls the same way, from `--reads-like`. */
function readAccount(flags: Flags): { readonly name: string; readonly version: string } {
  const [name = '', version = '', ...others] = (textFlag(flags, 'readsLike') ?? '').trim().split(/\s+/);
  const decoder = others.length === 0 ? findAccountDecoder(name, version) : undefined;
  if (decoder !== undefined) return { name: decoder.name, version: decoder.version };
  const known = [...new Set(accountDecoders.map((one) => `${one.name} ${one.version}`))].join(', ');
  throw mistake(`Say with --reads-like "NAME VERSION" which accounts read their calls in the same way: ${known}.`);
}

/** Entries in the form of a chain's `accounts`. */
function toAccounts(listed: readonly ListedCode[]): KnownAccountsConfig {
  const lists = [...new Set(listed.map(({ list }) => list))];
  return Object.fromEntries(
    lists.map((list) => [list, listed.filter((one) => one.list === list).map(({ entry }) => entry)]),
  );
}

/** A contract between an address and the code that runs there. Without `list` it is already known. */
type FoundCode = {
  readonly address: Address;
  readonly codeHash: Hex;
  /** A description for people. */
  readonly what: string;
  /** The list of the configuration that would make it known. */
  readonly list?: KnownCodeList;
};

/** The roles that the operator can assign to unknown code. */
const claimedRoles = ['implementation', 'factory', 'helper'] as const;
type ClaimedRole = (typeof claimedRoles)[number];

function isClaimedRole(role: string): role is ClaimedRole {
  return claimedRoles.some((one) => one === role);
}

/** Most contracts that are followed; the service follows as many. */
const maxContracts = 4;

/** `validateUserOp` as a contract's dispatcher compares it (PUSH4): for EntryPoint 0.6, and for 0.7 and later. */
const validatesUserOp = /63(3a871cdd|19822f7c)/i;

/**
 * Follows an address to the code that runs for it: through proxies, delegations and beacons. A factory or a helper ends the
 * search.
 */
async function followAccountCode(
  access: ChainAccess,
  from: Address,
  claimed: ClaimedRole | undefined,
): Promise<readonly FoundCode[]> {
  const table = createKnownCodeTable(access.chain.accounts);
  const found: FoundCode[] = [];
  for (let address = from; found.length < maxContracts; ) {
    const code = await readCode(access, address);
    const add = (what: string, list?: KnownCodeList) =>
      found.push({ address, codeHash: keccak256(code), what, ...(list === undefined ? {} : { list }) });
    const known = findKnown(table, { address, code });
    if (known !== undefined) {
      add(`known: ${known}`);
      return found;
    }
    const delegation = table.findDelegation(code);
    const next = await (delegation === undefined
      ? claimed === 'factory' || claimed === 'helper'
        ? undefined
        : addressIn(access, from, implementationSlot)
      : readDelegation(access, from, delegation));
    if (delegation !== undefined) add('known: only delegates');
    else if (next !== undefined && address === from) add('unknown, and names an implementation (EIP-1967)', 'proxies');
    else {
      add('unknown', roleOf(address, code, claimed));
      return found;
    }
    if (next === undefined) throw mistake(`${from} delegates to nothing.`);
    address = next;
  }
  throw mistake(`${from} delegates through more than ${maxContracts - 1} contracts, which a service does not follow.`);
}

/** What known code is, unless it delegates. */
function findKnown(table: KnownCodeTable, deployed: { readonly address: Address; readonly code: Hex }) {
  const names = table.findKinds(deployed).map(({ name }) => name);
  if (names.length > 0) return [...new Set(names)].join(' or ');
  const maker = knownAccounts.find(({ factories = [] }) => factories.some(({ mark }) => hasMark(mark, deployed)));
  if (maker !== undefined) return `a factory of ${maker.name}`;
  return table.mayRun(deployed, knownHelpers) ? 'called while an account is created' : undefined;
}

/** The list for code that runs. Only the operator can assign a role to a contract without its own `validateUserOp`. */
function roleOf(address: Address, code: Hex, claimed: ClaimedRole | undefined): KnownCodeList {
  if (claimed === 'factory') return 'factories';
  if (claimed === 'helper') return 'helpers';
  if (claimed === 'implementation' || validatesUserOp.test(code)) return 'implementations';
  throw mistake(
    `The code at ${address} has no validateUserOp of its own. Say what it is: --used-as implementation, --used-as factory or --used-as helper.`,
  );
}

/** The next contract for the account `from`; undefined if there is none. */
async function readDelegation(
  access: ChainAccess,
  from: Address,
  delegation: Delegation,
): Promise<Address | undefined> {
  if ('to' in delegation) return delegation.to;
  const named = await addressIn(access, from, delegation.slot === 'own-address' ? pad(from) : delegation.slot);
  if (named === undefined || delegation.through === undefined) return named;
  const beacon = await readCode(access, named);
  if (!knownBeaconHashes.includes(keccak256(beacon))) {
    throw mistake(`The beacon ${named} of ${from} has unknown code. Its accounts cannot be made known.`);
  }
  return addressIn(access, named, beaconImplementationSlot);
}

async function readCode({ chain, client }: ChainAccess, address: Address): Promise<Hex> {
  const code = await askChain(chain.chainId, client.getCode({ address }));
  if (code !== undefined && code !== '0x') return code;
  throw mistake(`There is no code at ${address} on chain ${chain.chainId}.`);
}

async function addressIn({ chain, client }: ChainAccess, address: Address, slot: Hex): Promise<Address | undefined> {
  return addressInWord((await askChain(chain.chainId, client.getStorageAt({ address, slot }))) ?? '0x');
}
