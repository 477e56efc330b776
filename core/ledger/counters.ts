import { fixedStatement, type RowOf, type Statement } from '../store/statements/fixed-statement.ts';
import { insertRows } from '../store/statements/row-statements.ts';

/** What is numbered here: holds, ledger accounts, and limits with budgets. */
const counterNames = ['hold', 'account', 'limit'] as const;
type CounterName = (typeof counterNames)[number];

/**
 * The numbers that are given next. A number is known before its row is written, so that rows which refer to one another are written
 * together. Only who holds the writers' lock takes any.
 */
export type Counters = {
  /** A number that nothing of its kind has had. */
  take(name: CounterName): number;
  /** A statement that writes which numbers were taken. */
  writes(): Statement<unknown>;
};

/** The stored counters; one has no row before its first number. */
export const storedCounters = fixedStatement<{ readonly names: readonly string[] }>()(({ db, texts }) =>
  db.selectFrom('counters').select(['name', 'next']).where('name', 'in', texts('names')),
);

/** All of them, for {@link storedCounters}. */
export const allCounters = { names: counterNames };

const keepCounters = insertRows(
  'counters',
  { name: 'text', next: 'number' },
  { onConflict: '(name) DO UPDATE SET next = excluded.next' },
);

/** Counters by their stored rows. */
export function toCounters(rows: readonly RowOf<typeof storedCounters>[]): Counters {
  const next = new Map<string, number>(rows.map((row) => [row.name, row.next]));
  const taken = new Set<CounterName>();
  const nextOf = (name: CounterName) => next.get(name) ?? 1;
  return {
    take: (name) => {
      const number = nextOf(name);
      next.set(name, number + 1);
      taken.add(name);
      return number;
    },
    writes: () => keepCounters([...taken].map((name) => ({ name, next: nextOf(name) }))),
  };
}
