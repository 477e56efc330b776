import { secondsPerDay } from '../../domain/utc-days.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows, updateRows } from '../../store/statements/row-statements.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import type { Counters } from '../counters.ts';

/** What an account counts: operations or calls, and wei or millionths of a USD. */
export type Quantity = { readonly count: number; readonly amount: bigint };

/** An account that holds may count in. `keptUntil`: when it is of no use any more, in Unix seconds; without it for good. */
export type AccountName = { readonly name: string; readonly keptUntil?: number };

/** Accounts while holds change, one after the other: as stored, and with what has changed since. */
export type LedgerAccounts = {
  /** The number of an account; undefined while no hold counts in it. Throws, like the next two, if it was not read. */
  find(name: string): number | undefined;
  /** What an account counts by now. */
  of(name: string): Quantity;
  /** The number of an account, which is opened if there is none. */
  open(account: AccountName): number;
  /** Changes accounts by their numbers. What is gone stays gone: only {@link open} makes one. */
  change(changes: ReadonlyMap<number, Quantity>): void;
  /** Statements that write what has changed, at a time in Unix seconds. */
  writes(now: number): readonly Statement<unknown>[];
};

/** What names of accounts begin with that are of no use once nothing has been open in them for a while. */
export const openPrefix = 'open/';

export const noQuantity: Quantity = { count: 0, amount: 0n };

const columns = ['account_id', 'name', 'count', 'amount', 'kept_until'] as const;

/** Accounts by their names. */
export const accountsNamed = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('ledger_accounts').select(columns).where('name', 'in', texts()),
);

/** Accounts by their numbers. */
export const accountsNumbered = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db.selectFrom('ledger_accounts').select(columns).where('account_id', 'in', numbers()),
);

type AccountRow = RowOf<typeof accountsNamed>;
type Entry = { readonly id: number; readonly name: string; keptUntil: number | null; isNew: boolean } & {
  -readonly [Part in keyof Quantity]: Quantity[Part];
};

/**
 * Accounts of the rows that were read. `names` are those that were asked for: one without a row counts nothing yet. Without
 * counters none can be opened.
 */
export function toLedgerAccounts(
  rows: readonly AccountRow[],
  names: Iterable<string>,
  counters?: Counters,
): LedgerAccounts {
  const asked = new Set(names);
  const entries = new Map<number, Entry>();
  const byName = new Map<string, Entry>();
  const changed = new Set<Entry>();
  const add = (entry: Entry): Entry => {
    entries.set(entry.id, entry);
    byName.set(entry.name, entry);
    return entry;
  };
  for (const { account_id, name, count, amount, kept_until } of rows) {
    add({ id: account_id, name, count, amount: fromWeiText(amount), keptUntil: kept_until, isNew: false });
  }
  // Of an account that was not read it is not known what it counts: a limit would start again.
  const known = (name: string): Entry | undefined => {
    const entry = byName.get(name);
    if (entry === undefined && !asked.has(name)) throw new Error(`The ledger account ${name} was not read.`);
    return entry;
  };
  const openNew = ({ name, keptUntil = null }: { name: string; keptUntil?: number | null }): Entry => {
    if (counters === undefined) throw new Error('An account was opened without counters.');
    return add({ id: counters.take('account'), name, ...noQuantity, keptUntil, isNew: true });
  };
  return {
    find: (name) => known(name)?.id,
    of: (name) => known(name) ?? noQuantity,
    open: (account) => {
      const entry = known(account.name) ?? openNew(account);
      const { keptUntil } = account;
      if (keptUntil !== undefined && entry.keptUntil !== null && keptUntil > entry.keptUntil)
        entry.keptUntil = keptUntil;
      changed.add(entry);
      return entry.id;
    },
    change: (changes) => {
      for (const [id, { count, amount }] of changes) {
        const entry = entries.get(id);
        if (entry === undefined) continue;
        entry.count += count;
        entry.amount += amount;
        changed.add(entry);
      }
    },
    writes: (now) => {
      for (const entry of changed) if (entry.name.startsWith(openPrefix)) entry.keptUntil = keptWhenEmpty(entry, now);
      const some = [...changed];
      return [
        insertAccounts(some.filter(({ isNew }) => isNew).map(newRow)),
        updateAccounts(some.filter(({ isNew }) => !isNew).map(changedRow)),
      ];
    },
  };
}

/**
 * How long an account is kept in which nothing is open any more, in seconds: an event that is rolled back has its hold stand again,
 * and that counts in the accounts which are still there.
 */
const emptyOutlives = 14 * secondsPerDay;

function keptWhenEmpty({ count }: Quantity, now: number): number | null {
  return count === 0 ? now + emptyOutlives : null;
}

const changing = { count: 'number', amount: 'text', kept_until: 'number' } as const;
const insertAccounts = insertRows('ledger_accounts', {
  account_id: 'number',
  name: 'text',
  base_count: 'number',
  base_amount: 'text',
  ...changing,
});
const updateAccounts = updateRows('ledger_accounts', changing, { account_id: 'number' });

function changedRow({ id, count, amount, keptUntil }: Entry) {
  return { account_id: id, count, amount: toWeiText(amount), kept_until: keptUntil };
}

/** Nothing of it is of archived holds. */
function newRow(entry: Entry) {
  return { ...changedRow(entry), name: entry.name, base_count: 0, base_amount: toWeiText(0n) };
}
