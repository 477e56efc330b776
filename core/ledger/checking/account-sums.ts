import { sql, type Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { mapInTurns } from '../../base/time/in-own-turn.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';
import { fromWeiText } from '../../store/wei.ts';
import { countedColumns, countedRow } from '../accounts/follow-holds.ts';
import { noQuantity, type Quantity } from '../accounts/ledger-accounts.ts';
import { addLegChanges } from '../accounts/legs.ts';
import { isFinalHold } from '../final-holds.ts';
import { type AccountPages, areEqual, createAccountPages } from './account-pages.ts';
import { checkAccounts } from './check-accounts.ts';

/** Rows in one read: they arrive in one turn of the event loop, and other readings pass between two reads. */
const rowsAtOnce = 1_000;
/** Most pages that are remembered: 128 MB for 5,200,000 accounts. With more, each check reads everything in one snapshot. */
const maxPages = 5_120;
/** Most holds that may still change among those that are remembered. What is behind the next one is read by each check. */
const maxOpen = 100_000;

/**
 * Compares accounts with their holds. What archived and final holds left in each account is remembered, in memory: a check reads the
 * holds that are new or may still change, and compares their accounts. The first one compares all accounts.
 */
export type AccountSums = {
  /** The accounts that are not what holds come to, each with both. */
  check(): Promise<readonly string[]>;
  /** Has the next check read all rows again. */
  forget(): void;
};

export function createAccountSums(store: Store, clock: Clock): AccountSums {
  let known: Known | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time: each continues where the previous one ended. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }

  async function doAccountsDiffer(): Promise<boolean> {
    const isFirst = known === undefined;
    const sums = known ?? nothingKnown();
    // What is thrown on the way leaves sums that are half added.
    known = undefined;
    const compared = createAccountPages();
    const until = await newestHold(store);
    if (!(await addNewAccounts(store, sums))) return true;
    await addFinalHolds(store, sums, { until, now: unixSeconds(clock), onAdded: isFirst ? undefined : compared });
    if (isFirst) await findUnequal(store, sums, compared);
    const differ = await store.read((snapshot) => compare(snapshot, sums, compared));
    known = sums;
    return differ;
  }

  return {
    check: () =>
      inTurn(async () => {
        const isFirst = known === undefined;
        if (!(await doAccountsDiffer())) return [];
        if (!isFirst) {
          // Nothing is reported that rows read now do not show: the operator may have rolled back to an old block.
          known = undefined;
          if (!(await doAccountsDiffer())) return [];
        }
        const faults = await store.read(checkAccounts);
        // Holds were archived while the others were read in steps.
        if (faults.length === 0) known = undefined;
        return faults;
      }),
    forget: () => {
      void inTurn(async () => {
        known = undefined;
      });
    },
  };
}

/** What accounts have of archived and final holds. */
type Known = {
  /** Of accounts with numbers up to `accountsUntil`. */
  readonly pages: AccountPages;
  accountsUntil: number;
  /** Up to this one holds are in the sums, except for those that may still change. */
  holdsUntil: number;
  open: number[];
};

function nothingKnown(): Known {
  return { pages: createAccountPages(), accountsUntil: 0, holdsUntil: 0, open: [] };
}

async function newestHold(store: Store): Promise<number> {
  const { newest } = await store.read((snapshot) =>
    snapshot
      .selectFrom('holds')
      .select(({ fn }) => fn.max<number | null>('hold_id').as('newest'))
      .executeTakeFirstOrThrow(),
  );
  return newest ?? 0;
}

/** Begins the sums of accounts with what archived holds left in them. False when there are too many accounts. */
async function addNewAccounts(store: Store, sums: Known): Promise<boolean> {
  for (;;) {
    const rows = await store.read((snapshot) =>
      snapshot
        .selectFrom('ledger_accounts')
        .select(['account_id', 'base_count', 'base_amount'])
        .where('account_id', '>', sums.accountsUntil)
        .orderBy('account_id')
        .limit(rowsAtOnce)
        .execute(),
    );
    await mapInTurns(rows, ({ account_id, base_count, base_amount }) =>
      sums.pages.add(account_id, { count: base_count, amount: fromWeiText(base_amount) }),
    );
    if (sums.pages.size() > maxPages) return false;
    sums.accountsUntil = rows.at(-1)?.account_id ?? sums.accountsUntil;
    if (rows.length < rowsAtOnce) return true;
  }
}

type CountedRow = { readonly hold_id: number } & Parameters<typeof countedRow>[0];
type HoldRow = Awaited<ReturnType<ReturnType<typeof holdRows>['execute']>>[number];

function holdRows(snapshot: Transaction<Database>, now: number) {
  return snapshot
    .selectFrom('holds')
    .select(['hold_id', ...countedColumns])
    .select(sql<number>`CASE WHEN ${isFinalHold(now)} THEN 1 ELSE 0 END`.as('is_final'));
}

type Adding = {
  /** Holds that came later are read by the comparison: their accounts may not be known yet. */
  readonly until: number;
  readonly now: number;
  /** Gets the accounts of what is added. */
  readonly onAdded: AccountPages | undefined;
};

/** Adds holds that have become final to the sums, in steps. */
async function addFinalHolds(store: Store, sums: Known, adding: Adding): Promise<void> {
  const { open } = sums;
  sums.open = [];
  for (const ids of chunksOf(open)) {
    const rows = await store.read((snapshot) =>
      holdRows(snapshot, adding.now).where('hold_id', 'in', dialectOf(snapshot).numbers(ids)).execute(),
    );
    for (const row of rows) if (!isFinal(row)) sums.open.push(row.hold_id);
    await addLegs(rows.filter(isFinal), sums, adding);
  }
  /** Those behind the last final one: each check reads them anyway. */
  let behind: number[] = [];
  for (let after = sums.holdsUntil; sums.open.length + behind.length <= maxOpen; ) {
    const rows = await store.read((snapshot) =>
      holdRows(snapshot, adding.now)
        .where('hold_id', '>', after)
        .where('hold_id', '<=', adding.until)
        .orderBy('hold_id')
        .limit(rowsAtOnce)
        .execute(),
    );
    for (const row of rows) {
      after = row.hold_id;
      behind.push(row.hold_id);
      if (!isFinal(row)) continue;
      for (const id of behind) if (id !== after) sums.open.push(id);
      behind = [];
      sums.holdsUntil = after;
    }
    await addLegs(rows.filter(isFinal), sums, adding);
    if (rows.length < rowsAtOnce) return;
  }
}

function isFinal({ is_final }: HoldRow): boolean {
  return is_final === 1;
}

async function addLegs(rows: readonly HoldRow[], { pages }: Known, { onAdded }: Adding): Promise<void> {
  await mapInTurns(await sumLegs(rows), ([id, quantity]) => {
    // Holds may outlive their accounts, which are pruned.
    if (!pages.has(id)) return;
    pages.add(id, quantity);
    onAdded?.add(id, noQuantity);
  });
}

async function sumLegs(rows: readonly CountedRow[]): Promise<ReadonlyMap<number, Quantity>> {
  const sums = new Map<number, Quantity>();
  await mapInTurns(rows, (row) => addLegChanges(sums, { after: countedRow(row) }));
  return sums;
}

/** Adds the accounts to `compared` that hold more or less than final holds: something else is open in them, or they are wrong. */
async function findUnequal(store: Store, { pages }: Known, compared: AccountPages): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    const rows = await store.read((snapshot) => accountRows(snapshot).where('account_id', '>', from).execute());
    await mapInTurns(rows, (row) => {
      if (!areEqual(storedIn(row), pages.of(row.account_id))) compared.add(row.account_id, noQuantity);
    });
    after = rows.at(-1)?.account_id;
  }
}

function accountRows(snapshot: Transaction<Database>) {
  return snapshot
    .selectFrom('ledger_accounts')
    .select(['account_id', 'count', 'amount'])
    .orderBy('account_id')
    .limit(rowsAtOnce);
}

function storedIn({ count, amount }: { readonly count: number; readonly amount: string }): Quantity {
  return { count, amount: fromWeiText(amount) };
}

/** Whether accounts differ in a snapshot: those in `compared`, and those of holds that are not in the sums. */
async function compare(snapshot: Transaction<Database>, { pages, ...sums }: Known, compared: AccountPages) {
  const add = async (rows: readonly CountedRow[]) => {
    await mapInTurns(await sumLegs(rows), ([id, quantity]) => compared.add(id, quantity));
  };
  const holds = snapshot.selectFrom('holds').select(['hold_id', ...countedColumns]);
  for (const ids of chunksOf(sums.open)) {
    await add(await holds.where('hold_id', 'in', dialectOf(snapshot).numbers(ids)).execute());
  }
  for (let after: number | undefined = sums.holdsUntil; after !== undefined; ) {
    const rows: readonly CountedRow[] = await holds
      .where('hold_id', '>', after)
      .orderBy('hold_id')
      .limit(rowsAtOnce)
      .execute();
    await add(rows);
    after = rows.at(-1)?.hold_id;
  }
  for (const ids of chunksOf(compared.ids())) {
    const rows = await accountRows(snapshot).where('account_id', 'in', dialectOf(snapshot).numbers(ids)).execute();
    const differ = await mapInTurns(rows, (row) => {
      const [final, open] = [pages.of(row.account_id), compared.of(row.account_id)];
      return !areEqual(storedIn(row), { count: final.count + open.count, amount: final.amount + open.amount });
    });
    if (differ.includes(true)) return true;
  }
  return false;
}

function* chunksOf(ids: Iterable<number>): Generator<readonly number[]> {
  let some: number[] = [];
  for (const id of ids) {
    some.push(id);
    if (some.length < rowsAtOnce) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
