import { LRUCache } from 'lru-cache';
import { type Address, getAddress, type Hex, keccak256, pad, size, slice } from 'viem';
import type { KnownAccountsConfig } from '../../domain/known-accounts-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Clock } from '../../domain/time/clock.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { AccountCodeKind, Creation } from '../../evm/account-codes/known-code.ts';
import {
  createKnownCodeTable,
  type Delegation,
  type KnownCodeTable,
} from '../../evm/account-codes/known-code-table.ts';
import { beaconSlot, implementationSlot, knownBeaconHashes } from '../../evm/account-codes/known-proxies.ts';
import { hasMark } from '../../evm/account-codes/masked-code-hash.ts';
import { delegateOf } from '../../evm/entry-point/eip7702-delegation.ts';
import { isEip7702InitCode } from '../../evm/entry-point/eip7702-init-code.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import type { ChainClient } from '../chain-client.ts';
import { explainNodeError } from '../node-error.ts';
import type { AccountReading, UnknownCode } from './account-reading.ts';
import { type AccountStorage, createdStorage, currentStorage, seenStorage } from './account-storage.ts';
import { readCreatedAccount } from './read-created-account.ts';
import { readCreatedSender } from './read-created-sender.ts';
import type { AccountSlots, SeenAccount } from './seen-account.ts';

/** How often code may delegate to other code: a proxy, a beacon or a delegation before it. */
const maxDelegations = 3;
/** Code that runs, and factories, are remembered for so long, by their address, when they are known. */
const codeLifetimeMs = 60_000;
const maxCodes = 1_000;
const maxFactories = 100;
const factoryBytes = 20;

/** Recognises the account of an operation by the code that runs. */
export type AccountReader = {
  /** What a simulation has to read of the sender for {@link AccountReader.read}. */
  slotsOf(operation: UserOperation): AccountSlots;
  /**
   * The account as it was simulated; as the node tells now when it could not be. `CHAIN_UNAVAILABLE` when the node does not
   * tell.
   */
  read(operation: UserOperation, entryPoint: Address, seen: SeenAccount | undefined): Promise<Result<AccountReading>>;
};

/** The kinds that code belongs to; one of them at least. */
type Kinds = readonly [AccountCodeKind, ...AccountCodeKind[]];

type Parts = {
  readonly client: ChainClient;
  readonly table: KnownCodeTable;
  /** Known code that runs, by its address. */
  readonly kinds: LRUCache<Address, { readonly found: Kinds; readonly until: number }>;
  /** The code of factories that are known. */
  readonly factories: LRUCache<Address, { readonly code: Hex; readonly until: number }>;
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
    factories: new LRUCache({ max: maxFactories }),
    clock: options.clock,
  };
  return {
    slotsOf: (operation) => ({
      // A needless `initCode` may be left out where the sender is there, with whatever code.
      slots:
        createsSender(operation) && !entryPointOf(operation.entryPointVersion).skipsNeedlessCreation
          ? []
          : parts.table.slotsOf(operation.sender),
      beaconSlot,
    }),
    read: async (operation, entryPoint, seen) => {
      try {
        const reading = await (seen === undefined
          ? readNow(parts, operation, entryPoint)
          : readSeen(parts, operation, { entryPoint, seen }));
        return accept((await readReplaced(parts, operation, seen)) ?? reading);
      } catch (error) {
        return refuse(explainNodeError(error));
      }
    },
  };
}

/** Whether the operation brings the account with it. The marker of EIP-7702 is no factory. */
function createsSender({ initCode, eip7702Auth }: UserOperation): boolean {
  return eip7702Auth === undefined && size(initCode) >= factoryBytes && !isEip7702InitCode(initCode);
}

/** The EntryPoint has taken the operation in the simulation: what is created is the sender, if it was not there before. */
async function readSeen(
  parts: Parts,
  operation: UserOperation,
  { entryPoint, seen }: { readonly entryPoint: Address; readonly seen: SeenAccount },
): Promise<AccountReading> {
  const { sender } = operation;
  if (!createsSender(operation) || seen.wasThere === true)
    return follow(parts, { sender, storage: seenStorage(seen) }, { to: sender }, seen.code);
  const [found, left] = await Promise.all([
    findCreation(parts, operation.initCode),
    readLeft(parts, sender, seen.code),
  ]);
  if (!('state' in found) && left !== undefined) return left;
  return judgeCreation(parts, { operation, entryPoint, found, left });
}

/** What a factory makes: of a kind that its call data names, or else that is read of the account as it will be. */
async function judgeCreation(
  parts: Parts,
  created: {
    readonly operation: UserOperation;
    readonly entryPoint: Address;
    readonly found: FoundCreation | UnknownCode;
    readonly left?: UnknownCode | undefined;
  },
): Promise<AccountReading> {
  const { operation, entryPoint, found, left } = created;
  if ('state' in found) {
    if (found.missing === undefined) return found;
    // What is missing besides only completes the refusal.
    const made = await readMade(parts, operation, entryPoint).catch(() => undefined);
    return withMore(found, left ?? (made?.state === 'unknown' ? made : undefined));
  }
  if (found.creation.implementation === undefined) {
    const made = await readMade(parts, operation, entryPoint);
    if (made?.state === 'unknown') return made;
    if (made?.state === 'deployed') return { state: 'created', kind: made.kind };
  }
  return (await findOtherCode(parts, found)) ?? { state: 'created', kind: found.kind };
}

/** The account as it will be, followed to the code that runs; undefined where the node cannot say. */
async function readMade(
  parts: Parts,
  { sender, initCode }: UserOperation,
  entryPoint: Address,
): Promise<AccountReading | undefined> {
  const { client, table } = parts;
  const slots = [...new Set([...table.slotsOf(sender), implementationSlot, beaconSlot])];
  const made = await readCreatedAccount(client, { entryPoint, initCode, sender, slots });
  if (made === undefined || made.code === '0x') return undefined;
  return follow(parts, { sender, storage: createdStorage(client, made) }, { to: sender }, made.code);
}

/**
 * A bundler can leave an authorization out: then what the sender delegates to now runs, which has to be known as well. Undefined
 * where it is, or where nothing is replaced.
 */
async function readReplaced(
  parts: Parts,
  { sender, eip7702Replaces }: UserOperation,
  seen: SeenAccount | undefined,
): Promise<UnknownCode | undefined> {
  if (eip7702Replaces === undefined) return undefined;
  const storage = seen === undefined ? currentStorage(parts.client, sender) : seenStorage(seen);
  const reading = await follow(parts, { sender, storage }, { to: eip7702Replaces });
  return reading.state === 'unknown' ? reading : undefined;
}

/** Code that a factory left at the sender and that is not known, or that the code there names itself. */
async function readLeft(parts: Parts, sender: Address, code: Hex): Promise<UnknownCode | undefined> {
  if (findKinds(parts, sender, code) !== undefined) return undefined;
  const delegation = parts.table.findDelegation(code);
  if (delegation === undefined) return unknownCode(sender, code, 'proxies');
  return 'to' in delegation ? readUnknown(parts, delegation.to) : undefined;
}

/** Code that neither makes calls as is known nor hands them on. */
async function readUnknown(parts: Parts, address: Address): Promise<UnknownCode | undefined> {
  const code = await readCode(parts, address);
  const isKnown = findKinds(parts, address, code) !== undefined || parts.table.findDelegation(code) !== undefined;
  return isKnown ? undefined : unknownCode(address, code, 'implementations');
}

/** A refusal that names what else is missing, so that the operator can add all of it at once. */
function withMore(first: UnknownCode, more: UnknownCode | undefined): UnknownCode {
  if (first.missing === undefined || more?.missing === undefined) return first;
  return { ...first, why: `${first.why} ${more.why}`, missing: [...first.missing, ...more.missing] };
}

async function readNow(parts: Parts, operation: UserOperation, entryPoint: Address): Promise<AccountReading> {
  const { sender, eip7702Auth } = operation;
  const storage = currentStorage(parts.client, sender);
  const code = await readCode(parts, sender);
  // An authorization gives a contract no other code.
  const isAuthorized = eip7702Auth !== undefined && (code === '0x' || delegateOf(code) !== undefined);
  if (isAuthorized) return follow(parts, { sender, storage }, { to: eip7702Auth.address });
  if (code !== '0x') return follow(parts, { sender, storage }, { to: sender }, code);
  return createsSender(operation) ? readCreation(parts, operation, entryPoint) : { state: 'absent' };
}

/** An account, and what it keeps. */
type Followed = { readonly sender: Address; readonly storage: AccountStorage };

/** Goes from code that only delegates to the code that runs. */
async function follow(
  parts: Parts,
  followed: Followed,
  from: Extract<Delegation, { to: Address }>,
  codeThere?: Hex,
): Promise<AccountReading> {
  const { sender: account } = followed;
  let address = from.to;
  let code = codeThere;
  for (let delegations = 0; delegations <= maxDelegations; delegations += 1) {
    const kinds = recall(parts, address) ?? findKinds(parts, address, code ?? (await readCode(parts, address)));
    if (kinds !== undefined) return checkSlots(followed, kinds);
    code ??= await readCode(parts, address);
    const delegation = parts.table.findDelegation(code);
    if (delegation === undefined) {
      if (address !== account) return unknownCode(address, code, 'implementations');
      const named = await followed.storage.addressIn(implementationSlot);
      return withMore(unknownCode(address, code, 'proxies'), named && (await readUnknown(parts, named)));
    }
    const next = await readDelegation(parts, followed, delegation);
    if (typeof next === 'object') return next;
    [address, code] = [next, undefined];
  }
  return { state: 'unknown', why: `${account} delegates through more than ${maxDelegations} contracts.`, address };
}

/** Where the account delegates to. */
async function readDelegation(
  parts: Parts,
  { sender, storage }: Followed,
  delegation: Delegation,
): Promise<Address | UnknownCode> {
  if ('to' in delegation) return delegation.to;
  const named = await storage.addressIn(delegation.slot === 'own-address' ? pad(sender) : delegation.slot);
  if (named === undefined) {
    return { state: 'unknown', why: `The proxy ${sender} delegates to nothing.`, address: sender };
  }
  if (delegation.through === undefined) return named;
  const beaconCode = await readCode(parts, named);
  if (!knownBeaconHashes.includes(keccak256(beaconCode))) return unknownCode(named, beaconCode, undefined);
  return (await storage.beaconImplementation()) ?? unknownCode(named, beaconCode, undefined);
}

/**
 * Some kinds hand the EntryPoint's calls on, to a contract that has to be theirs. Of several kinds the one is meant whose contract it is.
 */
async function checkSlots({ sender, storage }: Followed, kinds: Kinds): Promise<AccountReading> {
  let wrong: { readonly kind: AccountCodeKind; readonly named: Address | undefined } | undefined;
  for (const kind of kinds) {
    const found = await findWrongSlot(storage, kind);
    if (found === 'none') return { state: 'deployed', kind };
    wrong ??= { kind, named: found };
  }
  const name = wrong?.kind.name ?? kinds[0].name;
  const why = `${sender} has the code of ${name}, but forwards calls to ${wrong?.named ?? 'no known contract'}.`;
  return { state: 'unknown', why, address: sender };
}

/** What a slot holds that has to hold something else for this kind, undefined for nothing. */
async function findWrongSlot(storage: AccountStorage, kind: AccountCodeKind): Promise<Address | undefined | 'none'> {
  for (const { slot, oneOf } of kind.requires ?? []) {
    const named = await storage.addressIn(slot);
    if (named === undefined || !oneOf.includes(named)) return named;
  }
  return 'none';
}

/** What the operation's factory leaves at the sender, as far as it can be told without a simulation. */
async function readCreation(parts: Parts, operation: UserOperation, entryPoint: Address): Promise<AccountReading> {
  const { sender, initCode } = operation;
  const [found, created] = await Promise.all([
    findCreation(parts, initCode),
    readCreatedSender(parts.client, entryPoint, initCode),
  ]);
  if ('state' in found) return judgeCreation(parts, { operation, entryPoint, found });
  if (created !== sender) {
    const address = getAddress(slice(initCode, 0, factoryBytes));
    const why = `The factory ${address} does not deploy the sender ${sender} in the current state.`;
    return { state: 'unknown', why, address };
  }
  return judgeCreation(parts, { operation, entryPoint, found });
}

type FoundCreation = { readonly kind: AccountCodeKind; readonly creation: Creation };

/** What a known factory makes of an `initCode`. */
async function findCreation(parts: Parts, initCode: Hex): Promise<FoundCreation | UnknownCode> {
  const { factories, clock, table } = parts;
  const address = getAddress(slice(initCode, 0, factoryBytes));
  const callData = size(initCode) === factoryBytes ? '0x' : slice(initCode, factoryBytes);
  const remembered = factories.get(address);
  const isFresh = remembered !== undefined && clock.now() < remembered.until;
  const code = isFresh ? remembered.code : await readCode(parts, address);
  const found = table.findCreation({ address, code, callData });
  if (found === 'unknown') return unknownCode(address, code, 'factories');
  if (!isFresh) factories.set(address, { code, until: clock.now() + codeLifetimeMs });
  if (found !== 'other') return found;
  const why = `The factory ${address} is known, but its call data does more than deploy the account.`;
  return { state: 'unknown', why, address };
}

/** Code that a known factory takes from elsewhere, and that is not of the factory's kind. */
async function findOtherCode(
  parts: Parts,
  { kind, creation: { implementation, runs } }: FoundCreation,
): Promise<UnknownCode | undefined> {
  if (runs !== undefined) {
    const code = await readCode(parts, runs.address);
    if (!hasMark(runs.mark, { address: runs.address, code })) return unknownCode(runs.address, code, undefined);
  }
  if (implementation === undefined || recall(parts, implementation)?.includes(kind) === true) return undefined;
  const code = await readCode(parts, implementation);
  return findKinds(parts, implementation, code)?.includes(kind) === true
    ? undefined
    : unknownCode(implementation, code, 'implementations');
}

function recall({ kinds, clock }: Parts, address: Address): Kinds | undefined {
  const known = kinds.get(address);
  return known !== undefined && clock.now() < known.until ? known.found : undefined;
}

function findKinds({ table, kinds, clock }: Parts, address: Address, code: Hex): Kinds | undefined {
  const [first, ...others] = code === '0x' ? [] : table.findKinds({ address, code });
  if (first === undefined) return undefined;
  const found: Kinds = [first, ...others];
  kinds.set(address, { found, until: clock.now() + codeLifetimeMs });
  return found;
}

function unknownCode(address: Address, code: Hex, list: UnknownCode['list']): UnknownCode {
  if (code === '0x') return { state: 'unknown', why: `There is no code at ${address}.`, address };
  const codeHash = keccak256(code);
  const why = `The code at ${address} is not known (its hash is ${codeHash}).`;
  if (list === undefined) return { state: 'unknown', why, address, codeHash };
  return { state: 'unknown', why, address, codeHash, list, missing: [{ list, address, codeHash }] };
}

async function readCode({ client }: Pick<Parts, 'client'>, address: Address): Promise<Hex> {
  return (await client.request({ method: 'eth_getCode', params: [address, 'latest'] })) ?? '0x';
}
