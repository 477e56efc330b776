import { LRUCache } from 'lru-cache';
import { type Address, size } from 'viem';
import type { Clock } from '../../base/time/clock.ts';
import type { KnownAccountsConfig } from '../../domain/known-accounts-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { beaconSlot, implementationSlot } from '../../evm/account-codes/find-in-catalogue.ts';
import { addressInWord } from '../../evm/account-codes/known-code.ts';
import { createKnownCodeTable } from '../../evm/account-codes/known-code-table.ts';
import { delegateOf, isEip7702InitCode } from '../../evm/entry-point/eip7702.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import type { ChainClient } from '../chain-client.ts';
import { explainNodeError } from '../node-error.ts';
import { currentStorage, seenStorage } from './account-storage.ts';
import { type CodeParts, follow, readCode } from './follow-code.ts';
import { factoryBytes, findCreation, judgeCreation, readCreation, readLeft } from './judge-creation.ts';
import type { AccountReading, AccountSlots, SeenAccount, UnknownCode } from './seen-account.ts';

/** Most addresses whose code is cached. */
const maxCodes = 1_000;
const maxFactories = 100;

/** Recognizes the account of an operation by the code that runs. */
export type AccountReader = {
  /** The slots of the sender that a simulation must read for {@link AccountReader.read}. */
  slotsOf(operation: UserOperation): AccountSlots;
  /**
   * The account as simulated, or its current state on the node if it was not. `CHAIN_UNAVAILABLE` when the node does not
   * answer.
   */
  read(operation: UserOperation, entryPoint: Address, seen: SeenAccount | undefined): Promise<Result<AccountReading>>;
  /** How many of the operator's entries are in use. */
  addedCodes(): number;
};

/** A reader whose operator can add and remove code at runtime. */
export type ChangeableAccountReader = AccountReader & {
  /** Uses these additions from the next operation on, and clears the cache. */
  changeKnown(known: KnownAccountsConfig | undefined): void;
};

/** A reader for one chain, with the operator's additions to the published kinds. */
export function createAccountReader(options: {
  readonly client: ChainClient;
  readonly known: KnownAccountsConfig | undefined;
  readonly clock: Clock;
}): ChangeableAccountReader {
  const partsWith = (known: KnownAccountsConfig | undefined): CodeParts => ({
    client: options.client,
    table: createKnownCodeTable(known),
    kinds: new LRUCache({ max: maxCodes }),
    factories: new LRUCache({ max: maxFactories }),
    clock: options.clock,
  });
  let current = partsWith(options.known);
  let added = countAdded(options.known);
  return {
    changeKnown: (known) => {
      current = partsWith(known);
      added = countAdded(known);
    },
    addedCodes: () => added,
    slotsOf: (operation) => ({
      // The EntryPoint may skip a needless `initCode` if the sender exists, with any code.
      slots:
        createsSender(operation) && !entryPointOf(operation.entryPointVersion).skipsNeedlessCreation
          ? []
          : current.table.slotsOf(operation.sender),
      beaconSlot,
    }),
    read: async (operation, entryPoint, seen) => {
      const parts = current;
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

function countAdded({
  implementations = [],
  proxies = [],
  factories = [],
  helpers = [],
}: KnownAccountsConfig = {}): number {
  return implementations.length + proxies.length + factories.length + helpers.length;
}

/** Whether the operation creates its account. The EIP-7702 marker is not a factory. */
export function createsSender({ initCode, eip7702Auth }: UserOperation): boolean {
  return eip7702Auth === undefined && size(initCode) >= factoryBytes && !isEip7702InitCode(initCode);
}

/** In the simulation the EntryPoint accepted the operation, so the sender exists afterwards: created, or from before. */
async function readSeen(
  parts: CodeParts,
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

/**
 * A bundler can omit an authorization; then the sender's current delegate runs, which must also be known. Undefined if it
 * is, or if nothing is replaced.
 */
async function readReplaced(
  parts: CodeParts,
  { sender, eip7702Replaces }: UserOperation,
  seen: SeenAccount | undefined,
): Promise<UnknownCode | undefined> {
  if (eip7702Replaces === undefined) return undefined;
  const storage = seen === undefined ? currentStorage(parts.client, sender) : seenStorage(seen);
  const reading = await follow(parts, { sender, storage }, { to: eip7702Replaces });
  return reading.state === 'unknown' ? reading : undefined;
}

async function readNow(parts: CodeParts, operation: UserOperation, entryPoint: Address): Promise<AccountReading> {
  const { sender, eip7702Auth } = operation;
  const storage = currentStorage(parts.client, sender);
  // Asked at once: most operations with a factory create their account.
  const creation = createsSender(operation) ? readCreation(parts, operation, entryPoint) : undefined;
  // The result may not be awaited when it fails.
  creation?.catch(() => undefined);
  const code = await readCode(parts, sender);
  // An authorization does not change the code of a contract.
  const isAuthorized = eip7702Auth !== undefined && (code === '0x' || delegateOf(code) !== undefined);
  if (isAuthorized) return follow(parts, { sender, storage }, { to: eip7702Auth.address });
  if (code !== '0x') return follow(parts, { sender, storage }, { to: sender }, code);
  return creation ?? { state: 'absent' };
}

/** The current target of an EIP-1967 proxy; undefined for a contract whose slot is empty. */
export async function readImplementation(client: ChainClient, proxy: Address): Promise<Result<Address | undefined>> {
  try {
    const word = await client.request({ method: 'eth_getStorageAt', params: [proxy, implementationSlot, 'latest'] });
    return accept(addressInWord(word));
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}
