import { type Address, type Hex, keccak256, pad } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import {
  beaconImplementationSlot,
  implementationSlot,
  knownBeaconHashes,
} from '../../core/evm/account-codes/find-in-catalogue.ts';
import { knownAccounts } from '../../core/evm/account-codes/known-accounts.ts';
import { addressInWord } from '../../core/evm/account-codes/known-code.ts';
import { createKnownCodeTable, type Delegation, hasMark } from '../../core/evm/account-codes/known-code-table.ts';
import type { KnownCodeList } from '../../core/node/account-codes/seen-account.ts';
import { askChain, type ChainAccess } from '../paymaster-contract/configured-contract.ts';

/** A contract between an address and the code that runs there. Without `list` it is already known. */
export type FoundCode = {
  readonly address: Address;
  readonly codeHash: Hex;
  /** A description for people. */
  readonly what: string;
  /** The list of the configuration that would make it known. */
  readonly list?: KnownCodeList;
};

/** The role that the operator assigns to unknown code. */
export type ClaimedRole = 'implementation' | 'factory';

/** Most contracts that are followed; the service follows as many. */
const maxContracts = 4;

/** `validateUserOp` as a contract's dispatcher compares it (PUSH4): for EntryPoint 0.6, and for 0.7 and later. */
const validatesUserOp = /63(3a871cdd|19822f7c)/i;

/** Follows an address to the code that runs for it: through proxies, delegations and beacons. A factory ends the search. */
export async function followAccountCode(
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
    const names = table.findKinds({ address, code }).map(({ name }) => name);
    if (names.length > 0) add(`known: ${[...new Set(names)].join(' or ')}`);
    const maker = knownAccounts.find(({ factories = [] }) =>
      factories.some(({ mark }) => hasMark(mark, { address, code })),
    );
    if (names.length === 0 && maker !== undefined) add(`known: a factory of ${maker.name}`);
    if (names.length > 0 || maker !== undefined) return found;
    const delegation = table.findDelegation(code);
    const next = await (delegation === undefined
      ? claimed === 'factory'
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

/** The list for code that runs. Only the operator can assign a role to a contract without its own `validateUserOp`. */
function roleOf(address: Address, code: Hex, claimed: ClaimedRole | undefined): KnownCodeList {
  if (claimed === 'factory') return 'factories';
  if (claimed === 'implementation' || validatesUserOp.test(code)) return 'implementations';
  throw mistake(
    `The code at ${address} has no validateUserOp of its own. Say what it is: --as implementation or --as factory.`,
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
