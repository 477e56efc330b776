import { sql, type Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { GasTankEntryKind } from '../../domain/gas-tank.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiSum, sumWei } from '../../store/wei.ts';
import {
  type AddedEntries,
  addEntries,
  addMovements,
  type EntrySums,
  type MovementSums,
  noEntries,
  noMovements,
  readArchivedEntries,
  readArchivedMovements,
  readArchivedUntil,
} from './entry-sums.ts';

/** Rows that are added up in one read: other work uses the same thread. */
const maxRowsAtOnce = 50_000;
/**
 * The newest rows are read for every check: with several processes one may be committed after one of a higher number.
 */
const newestRows = 5_000;

/** The sums of the ledger's append-only rows. */
export type LedgerSums = {
  entriesOf(tankId: number): EntrySums;
  movementsOf(chainId: number, contract: string): MovementSums;
  /** What the EntryPoint took for operations that a tank paid for, in wei. */
  costsOf(tankId: number): bigint;
};

/**
 * The sums of the ledger's rows, each read once and remembered: entries and movements are only ever added. It has an entry
 * of about 200 bytes for each tank. A row that was changed from outside the service is found when all are read again.
 */
export type RowSums = {
  /** Reads the new rows (all of them the first time) in steps. Returns when the oldest was read, in Unix seconds. */
  catchUp(): Promise<number>;
  /** Reads all rows again in steps. Returns when the oldest was read, in Unix seconds. */
  readAgain(): Promise<number>;
  /** When the oldest of the remembered rows was read; undefined before any was. */
  readAt(): number | undefined;
  /** All rows of a snapshot. */
  at(snapshot: Transaction<Database>): Promise<LedgerSums>;
};

/** Never modified: each step makes a new one. */
type Sums = {
  readonly entriesUntil: number;
  readonly movementsUntil: number;
  readonly entries: ReadonlyMap<number, EntrySums>;
  readonly movements: ReadonlyMap<string, MovementSums>;
  readonly costs: ReadonlyMap<number, bigint>;
};

const nothing: Sums = {
  entriesUntil: 0,
  movementsUntil: 0,
  entries: new Map(),
  movements: new Map(),
  costs: new Map(),
};

export function createRowSums(store: Store, clock: Clock): RowSums {
  let sums = nothing;
  let readAt: number | undefined;
  let underWay: Promise<number> | undefined;

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
      await underWay;
      return read(nothing, unixSeconds(clock));
    },
    readAt: () => readAt,
    at: (snapshot) => sumsAt(snapshot, sums),
  };
}

/** All rows of a snapshot, read now. */
export function readLedgerSums(snapshot: Transaction<Database>): Promise<LedgerSums> {
  return sumsAt(snapshot, nothing);
}

async function sumsAt(snapshot: Transaction<Database>, sums: Sums): Promise<LedgerSums> {
  const { entries, movements, costs } = await addStep(snapshot, await behindArchive(snapshot, sums), {
    entries: Number.MAX_SAFE_INTEGER,
    movements: Number.MAX_SAFE_INTEGER,
  });
  return {
    entriesOf: (tankId) => entries.get(tankId) ?? noEntries,
    movementsOf: (chainId, contract) => movements.get(`${chainId} ${contract}`) ?? noMovements,
    costsOf: (tankId) => costs.get(tankId) ?? 0n,
  };
}

async function readOn(store: Store, from: Sums): Promise<Sums> {
  let sums = from;
  for (;;) {
    const next = await store.read(async (snapshot) => {
      const known = await behindArchive(snapshot, sums);
      const { entriesUntil, movementsUntil } = known;
      const entries = await endOfStep(snapshot, 'entries', 'entry_id', entriesUntil);
      const movements = await endOfStep(snapshot, 'movements', 'movement_id', movementsUntil);
      const isAll = entries <= entriesUntil && movements <= movementsUntil;
      return { isAll, sums: isAll ? known : await addStep(snapshot, known, { entries, movements }) };
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
  if (sums.entriesUntil >= until.entries && sums.movementsUntil >= until.movements) return sums;
  const entries = new Map<number, EntrySums>();
  for (const { tankId, ...added } of await readArchivedEntries(snapshot)) {
    entries.set(tankId, addEntries(entries.get(tankId) ?? noEntries, added));
  }
  const movements = new Map<string, MovementSums>();
  const costs = new Map<number, bigint>();
  for (const { location, tankId, wei } of await readArchivedMovements(snapshot)) {
    const added = { kind: 'cost', isOfNoTank: tankId === undefined, wei } as const;
    movements.set(location, addMovements(movements.get(location) ?? noMovements, added));
    if (tankId !== undefined) costs.set(tankId, (costs.get(tankId) ?? 0n) + wei);
  }
  return addStep(snapshot, { ...nothing, entries, movements, costs }, until);
}

async function endOfStep(
  snapshot: Transaction<Database>,
  table: 'entries' | 'movements',
  id: 'entry_id' | 'movement_id',
  after: number,
): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`
    SELECT max(${sql.ref(id)}) AS newest FROM ${sql.table(table)}`.execute(snapshot);
  const settled = (rows[0]?.newest ?? 0) - newestRows;
  return Math.max(after, Math.min(settled, after + maxRowsAtOnce));
}

async function addStep(
  snapshot: Transaction<Database>,
  sums: Sums,
  until: { readonly entries: number; readonly movements: number },
): Promise<Sums> {
  const entries = new Map(sums.entries);
  for (const row of await entriesBetween(snapshot, sums.entriesUntil, until.entries)) {
    entries.set(row.tank_id, addEntries(entries.get(row.tank_id) ?? noEntries, toAdded(row)));
  }
  const movements = new Map(sums.movements);
  const costs = new Map(sums.costs);
  for (const row of await movementsBetween(snapshot, sums.movementsUntil, until.movements)) {
    const location = `${row.chain_id} ${row.contract}`;
    const sum = fromWeiSum(row.sum);
    const wei = row.back ? -sum : sum;
    const added = { kind: row.kind, isOfNoTank: row.tank_id === null, wei };
    movements.set(location, addMovements(movements.get(location) ?? noMovements, added));
    if (row.kind === 'cost' && row.tank_id !== null) costs.set(row.tank_id, (costs.get(row.tank_id) ?? 0n) + wei);
  }
  return { entriesUntil: until.entries, movementsUntil: until.movements, entries, movements, costs };
}

type EntrySum = {
  readonly tank_id: number;
  readonly kind: GasTankEntryKind;
  readonly placed: unknown;
  readonly back: unknown;
  readonly sum: string | null;
  readonly count: number;
  readonly priced: number;
  readonly usd_micros: string;
};

function toAdded({ kind, placed, back, sum, count, priced, usd_micros }: EntrySum): AddedEntries {
  const sign = back ? -1 : 1;
  return {
    kind,
    isRemote: Boolean(placed),
    wei: BigInt(sign) * fromWeiSum(sum),
    count: sign * count,
    priced: sign * priced,
    usdMicros: BigInt(sign) * BigInt(usd_micros),
  };
}

function entriesBetween(snapshot: Transaction<Database>, after: number, until: number): Promise<readonly EntrySum[]> {
  return snapshot
    .selectFrom('entries')
    .select(({ eb, fn }) => [
      'tank_id',
      'kind',
      fn.countAll<number>().as('count'),
      fn.count<number>('usd_micros').as('priced'),
      sql<string>`CAST(coalesce(sum(usd_micros), 0) AS TEXT)`.as('usd_micros'),
      eb('tx_hash', 'is not', null).as('placed'),
      eb('reverses', 'is not', null).as('back'),
      sumWei('amount').as('sum'),
    ])
    .where('entry_id', '>', after)
    .where('entry_id', '<=', until)
    .groupBy((eb) => ['tank_id', 'kind', eb('tx_hash', 'is not', null), eb('reverses', 'is not', null)])
    .execute();
}

function movementsBetween(snapshot: Transaction<Database>, after: number, until: number) {
  return snapshot
    .selectFrom('movements')
    .select(({ eb }) => [
      'chain_id',
      'contract',
      'kind',
      'tank_id',
      eb('reverses', 'is not', null).as('back'),
      sumWei('amount').as('sum'),
    ])
    .where('movement_id', '>', after)
    .where('movement_id', '<=', until)
    .groupBy((eb) => ['chain_id', 'contract', 'kind', 'tank_id', eb('reverses', 'is not', null)])
    .execute();
}
