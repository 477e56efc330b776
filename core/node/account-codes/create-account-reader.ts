import { LRUCache } from 'lru-cache';
import { type Address, getAddress, type Hex, keccak256, pad, size, slice } from 'viem';
import type { KnownAccountsConfig } from '../../domain/known-accounts-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Clock } from '../../domain/time/clock.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { addressInWord } from '../../evm/account-codes/address-in-word.ts';
import type { AccountCodeKind, Creation } from '../../evm/account-codes/known-code.ts';
import {
  createKnownCodeTable,
  type Delegation,
  type KnownCodeTable,
} from '../../evm/account-codes/known-code-table.ts';
import {
  beaconImplementationSlot,
  implementationSlot,
  knownBeaconHashes,
} from '../../evm/account-codes/known-proxies.ts';
import { hasMark } from '../../evm/account-codes/masked-code-hash.ts';
import type { ChainClient } from '../chain-client.ts';
import { explainNodeError } from '../node-error.ts';
import type { AccountReading, UnknownCode } from './account-reading.ts';
import { readCreatedSender } from './read-created-sender.ts';

/** How often code may delegate to other code: a proxy, a beacon or a delegation before it. */
const maxDelegations = 3;
/** Code that runs is remembered for so long, by its address, when it is known. */
const codeLifetimeMs = 60_000;
const maxCodes = 1_000;
/**
 * So is what a known factory makes with an `initCode`: once the account is there, no operation that would make it lands. An
 * account that is there is read for each decision: its owner may have changed it, and gas is estimated for what it does now.
 */
const maxCreations = 10_000;
const factoryBytes = 20;

/** Recognises the account of an operation by the code that runs. `CHAIN_UNAVAILABLE` when the node does not tell. */
export type AccountReader = {
  read(operation: UserOperation, entryPoint: Address): Promise<Result<AccountReading>>;
};

type Parts = {
  readonly client: ChainClient;
  readonly table: KnownCodeTable;
  /** Known code that runs, by its address. */
  readonly kinds: LRUCache<Address, { readonly kind: AccountCodeKind; readonly until: number }>;
  /** What known factories make, by EntryPoint, sender and `initCode`. */
  readonly creations: LRUCache<string, { readonly reading: AccountReading; readonly until: number }>;
  readonly clock: Clock;
};

/** A reader of one chain, with what its operator adds to the published kinds. */
export function createAccountReader(options: {
  readonly client: ChainClient;
  readonly known: KnownAccountsConfig | undefined;
  readonly clock: Clock;
}): AccountReader {
  const parts: Parts = {
    client: options.client,
    table: createKnownCodeTable(options.known),
    kinds: new LRUCache({ max: maxCodes }),
    creations: new LRUCache({ max: maxCreations }),
    clock: options.clock,
  };
  return {
    read: async (operation, entryPoint) => {
      try {
        return accept(await readAccount(parts, operation, entryPoint));
      } catch (error) {
        return refuse(explainNodeError(error));
      }
    },
  };
}

async function readAccount(parts: Parts, operation: UserOperation, entryPoint: Address): Promise<AccountReading> {
  const { creations, clock } = parts;
  const { sender, initCode, eip7702Auth } = operation;
  if (eip7702Auth !== undefined || initCode === '0x') return readAfresh(parts, operation, entryPoint);
  const key = `${entryPoint}:${sender}:${keccak256(initCode)}`;
  const known = creations.get(key);
  if (known !== undefined && clock.now() < known.until) return known.reading;
  const reading = await readAfresh(parts, operation, entryPoint);
  if (reading.state === 'created') creations.set(key, { reading, until: clock.now() + codeLifetimeMs });
  return reading;
}

async function readAfresh(parts: Parts, operation: UserOperation, entryPoint: Address): Promise<AccountReading> {
  const { sender, initCode, eip7702Auth } = operation;
  if (eip7702Auth !== undefined) return follow(parts, { account: sender }, { to: eip7702Auth.address });
  // Most accounts are proxies with this slot: nobody waits for one after the other.
  const [code, implementation] = await Promise.all([
    readCode(parts, sender),
    initCode === '0x' ? readSlot(parts.client, sender, implementationSlot) : undefined,
  ]);
  if (code !== '0x') return follow(parts, { account: sender, implementation }, { to: sender }, code);
  return size(initCode) < factoryBytes ? { state: 'absent' } : readCreation(parts, operation, entryPoint);
}

/** An account, and what its slot of EIP-1967 holds where that has been read. */
type Followed = { readonly account: Address; readonly implementation?: Address | undefined };

/** Goes from code that only delegates to the code that runs. */
async function follow(
  parts: Parts,
  followed: Followed,
  from: Extract<Delegation, { to: Address }>,
  codeThere?: Hex,
): Promise<AccountReading> {
  const { account } = followed;
  let address = from.to;
  let code = codeThere;
  for (let delegations = 0; delegations <= maxDelegations; delegations += 1) {
    const kind = recall(parts, address) ?? findKind(parts, address, code ?? (await readCode(parts, address)));
    if (kind !== undefined) return checkSlots(parts, account, kind);
    code ??= await readCode(parts, address);
    const delegation = parts.table.findDelegation(code);
    if (delegation === undefined)
      return unknownCode(address, code, address === account ? 'proxies' : 'implementations');
    const next = await readDelegation(parts, followed, delegation);
    if (typeof next === 'object') return next;
    [address, code] = [next, undefined];
  }
  return { state: 'unknown', why: `${account} delegates through more than ${maxDelegations} contracts.`, address };
}

/** Where the account delegates to now. */
async function readDelegation(
  { client, ...parts }: Parts,
  { account, implementation }: Followed,
  delegation: Delegation,
): Promise<Address | UnknownCode> {
  if ('to' in delegation) return delegation.to;
  const slot = delegation.slot === 'own-address' ? pad(account) : delegation.slot;
  const named = (slot === implementationSlot ? implementation : undefined) ?? (await readSlot(client, account, slot));
  if (named === undefined)
    return { state: 'unknown', why: `The proxy ${account} delegates to nothing.`, address: account };
  if (delegation.through === undefined) return named;
  const beaconCode = await readCode({ client, ...parts }, named);
  if (!knownBeaconHashes.includes(keccak256(beaconCode))) return unknownCode(named, beaconCode, undefined);
  return (await readSlot(client, named, beaconImplementationSlot)) ?? unknownCode(named, beaconCode, undefined);
}

/** Some kinds hand the EntryPoint's calls on, to a contract that has to be theirs. */
async function checkSlots({ client }: Parts, account: Address, kind: AccountCodeKind): Promise<AccountReading> {
  for (const { slot, oneOf } of kind.requires ?? []) {
    const named = await readSlot(client, account, slot);
    if (named !== undefined && oneOf.includes(named)) continue;
    const why = `${account} has the code of ${kind.name}, but hands calls on to ${named ?? 'nobody'}.`;
    return { state: 'unknown', why, address: account };
  }
  return { state: 'deployed', kind };
}

/** What the operation's factory leaves at the sender. */
async function readCreation(
  parts: Parts,
  { sender, initCode }: UserOperation,
  entryPoint: Address,
): Promise<AccountReading> {
  const factory = getAddress(slice(initCode, 0, factoryBytes));
  const callData = size(initCode) === factoryBytes ? '0x' : slice(initCode, factoryBytes);
  const [code, created] = await Promise.all([
    readCode(parts, factory),
    readCreatedSender(parts.client, entryPoint, initCode),
  ]);
  const found = parts.table.findCreation({ address: factory, code, callData });
  if (found === 'unknown') return unknownCode(factory, code, 'factories');
  if (found === 'other') {
    const why = `The factory ${factory} is known, but not what its call data has it do beside making the account.`;
    return { state: 'unknown', why, address: factory };
  }
  if (created !== sender) {
    const why = `The factory ${factory} does not make the sender ${sender} as things are.`;
    return { state: 'unknown', why, address: factory };
  }
  return (await findOtherCode(parts, found)) ?? { state: 'created', kind: found.kind };
}

/** Code that a known factory takes from elsewhere, and that is not of the factory's kind. */
async function findOtherCode(
  parts: Parts,
  { kind, creation: { implementation, runs } }: { readonly kind: AccountCodeKind; readonly creation: Creation },
): Promise<UnknownCode | undefined> {
  if (runs !== undefined) {
    const code = await readCode(parts, runs.address);
    if (!hasMark(runs.mark, { address: runs.address, code })) return unknownCode(runs.address, code, undefined);
  }
  if (implementation === undefined || recall(parts, implementation) === kind) return undefined;
  const code = await readCode(parts, implementation);
  return findKind(parts, implementation, code) === kind
    ? undefined
    : unknownCode(implementation, code, 'implementations');
}

function recall({ kinds, clock }: Parts, address: Address): AccountCodeKind | undefined {
  const known = kinds.get(address);
  return known !== undefined && clock.now() < known.until ? known.kind : undefined;
}

function findKind({ table, kinds, clock }: Parts, address: Address, code: Hex): AccountCodeKind | undefined {
  const kind = code === '0x' ? undefined : table.findKind({ address, code });
  if (kind !== undefined) kinds.set(address, { kind, until: clock.now() + codeLifetimeMs });
  return kind;
}

function unknownCode(address: Address, code: Hex, list: UnknownCode['list']): UnknownCode {
  if (code === '0x') return { state: 'unknown', why: `There is no code at ${address}.`, address };
  const codeHash = keccak256(code);
  const why = `The code at ${address} is not known (its hash is ${codeHash}).`;
  return { state: 'unknown', why, address, codeHash, ...(list === undefined ? {} : { list }) };
}

async function readCode({ client }: Pick<Parts, 'client'>, address: Address): Promise<Hex> {
  return (await client.request({ method: 'eth_getCode', params: [address, 'latest'] })) ?? '0x';
}

async function readSlot(client: ChainClient, address: Address, slot: Hex): Promise<Address | undefined> {
  return addressInWord(await client.request({ method: 'eth_getStorageAt', params: [address, slot, 'latest'] }));
}
