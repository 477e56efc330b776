import type { Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { createAccountSums } from './account-sums.ts';
import {
  type AddedEntries,
  addToContract,
  addToTank,
  type ContractEntries,
  noContractEntries,
  noTankEntries,
  readArchivedEntries,
  readArchivedUntil,
  readEntriesBetween,
  type TankEntries,
} from './entry-sums.ts';

/** Rows that are added up in one read: other work uses the same thread. */
const maxRowsAtOnce = 10_000;
/**
 * The newest rows are read for every check: with several processes one may be committed after one of a higher number.
 */
const newestRows = 5_000;

/** The sums of the journal's entries. */
export type LedgerSums = {
  ofTank(tankId: number): TankEntries;
  ofContract(contractId: number): ContractEntries;
};

/**
 * The sums of the ledger's rows, each row read once and remembered: entries of the journal are only ever added, and most holds do not
 * change any more. It has an entry of about 200 bytes for each tank, and 25 for each account. A row that was changed from outside the
 * service is found when all are read again.
 */
export type RowSums = {
  /** Reads the journal's new entries (all of them the first time) in steps. Returns when the oldest was read, in Unix seconds. */
  catchUp(): Promise<number>;
  /**
   * Reads all entries of the journal again in steps, and has {@link checkAccounts} read all holds again. Returns when the oldest entry
   * was read, in Unix seconds.
   */
  readAgain(): Promise<number>;
  /** When the oldest of the remembered rows was read; undefined before any was. */
  readAt(): number | undefined;
  /** All entries of a snapshot. */
  at(snapshot: Transaction<Database>): Promise<LedgerSums>;
  /** The accounts that are not what holds come to, each with both. Reads holds that are new or may still change, the first time all. */
  checkAccounts(): Promise<readonly string[]>;
};

/** Never modified: each step makes a new one. */
type Sums = {
  readonly until: number;
  readonly tanks: ReadonlyMap<number, TankEntries>;
  readonly contracts: ReadonlyMap<number, ContractEntries>;
};

const nothing: Sums = { until: 0, tanks: new Map(), contracts: new Map() };

export function createRowSums(store: Store, clock: Clock): RowSums {
  let sums = nothing;
  let readAt: number | undefined;
  let underWay: Promise<number> | undefined;
  const accounts = createAccountSums(store, clock);

  /** One at a time: a caller that comes while one is in progress shares it. */
  function read(from: Sums, since: number): Promise<number> {
    underWay ??= readOn(store, from)
      .then((reached) => {
        sums = reached;
        readAt = since;
        return since;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  }

  return {
    catchUp: () => read(sums, readAt ?? unixSeconds(clock)),
    readAgain: async () => {
      accounts.forget();
      await underWay;
      return read(nothing, unixSeconds(clock));
    },
    readAt: () => readAt,
    at: (snapshot) => sumsAt(snapshot, sums),
    checkAccounts: accounts.check,
  };
}

/** All rows of a snapshot, read now. */
export function readLedgerSums(snapshot: Transaction<Database>): Promise<LedgerSums> {
  return sumsAt(snapshot, nothing);
}

async function sumsAt(snapshot: Transaction<Database>, sums: Sums): Promise<LedgerSums> {
  const { tanks, contracts } = await addStep(snapshot, await behindArchive(snapshot, sums), Number.MAX_SAFE_INTEGER);
  return {
    ofTank: (tankId) => tanks.get(tankId) ?? noTankEntries,
    ofContract: (contractId) => contracts.get(contractId) ?? noContractEntries,
  };
}

async function readOn(store: Store, from: Sums): Promise<Sums> {
  let sums = from;
  for (;;) {
    const next = await store.read(async (snapshot) => {
      const known = await behindArchive(snapshot, sums);
      const until = await endOfStep(snapshot, known.until);
      const isAll = until <= known.until;
      return { isAll, sums: isAll ? known : await addStep(snapshot, known, until) };
    });
    sums = next.sums;
    if (next.isAll) return sums;
  }
}

/**
 * Sums as they are, unless they do not yet include the newest rows that have been archived since: then the sums of the archive
 * and of the few rows left from before those. For rows that are included it makes no difference whether they are archived.
 */
async function behindArchive(snapshot: Transaction<Database>, sums: Sums): Promise<Sums> {
  const until = await readArchivedUntil(snapshot);
  if (sums.until >= until) return sums;
  return addStep(snapshot, including(nothing, await readArchivedEntries(snapshot), 0), until);
}

async function endOfStep(snapshot: Transaction<Database>, after: number): Promise<number> {
  const { newest } = await snapshot
    .selectFrom('journal')
    .select(({ fn }) => fn.max<number | null>('entry_id').as('newest'))
    .executeTakeFirstOrThrow();
  return Math.max(after, Math.min((newest ?? 0) - newestRows, after + maxRowsAtOnce));
}

async function addStep(snapshot: Transaction<Database>, sums: Sums, until: number): Promise<Sums> {
  return including(sums, await readEntriesBetween(snapshot, sums.until, until), until);
}

function including(sums: Sums, entries: readonly AddedEntries[], until: number): Sums {
  const tanks = new Map(sums.tanks);
  const contracts = new Map(sums.contracts);
  for (const added of entries) {
    const { contractId, tankId } = added;
    contracts.set(contractId, addToContract(contracts.get(contractId) ?? noContractEntries, added));
    if (tankId !== undefined) tanks.set(tankId, addToTank(tanks.get(tankId) ?? noTankEntries, added));
  }
  return { until, tanks, contracts };
}
