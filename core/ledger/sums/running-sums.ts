import type { Statement } from '../../store/statements/fixed-statement.ts';
import type { Amounts, CountedHold, Leg, SumKey, SumName } from './hold-legs.ts';
import { identityOf, noAmounts, plusAmounts, type StoredRow, type SumChange, sumTables } from './sum-tables.ts';

/** A hold before it changes, if there was one, and after that. */
export type HoldMove = { readonly before?: CountedHold | undefined; readonly after: CountedHold };

/** Sums while holds change, one after the other. */
export type RunningSums = {
  /** What a sum counts by now: what is stored of it, and what has changed since. */
  of(sum: SumName, key: SumKey): Amounts;
  /** Adds {@link differences} of holds that change. */
  add(legs: readonly Leg[]): void;
  /** Statements that write what has changed; the rows of all these sums have to be among those that were stored. */
  writes(): readonly Statement<unknown>[];
};

type StoredSums = { readonly [Name in SumName]?: readonly StoredRow[] };

/** Statements that read the sums of legs, and the sums once their rows are there; `more` are of those that are read otherwise. */
export function readSums(legs: Iterable<Pick<Leg, 'sum' | 'key'>>): {
  readonly reads: readonly Statement<StoredRow>[];
  run(rows: readonly (readonly StoredRow[])[], more?: StoredSums): RunningSums;
} {
  const keys = new Map<SumName, Map<string, SumKey>>();
  for (const { sum, key } of legs) {
    const own = keys.get(sum) ?? new Map<string, SumKey>();
    keys.set(sum, own.set(identityOf(key), key));
  }
  const asked = [...keys].flatMap(([sum, own]) =>
    sumTables[sum].reads([...own.values()]).map((read) => ({ sum, read })),
  );
  return {
    reads: asked.map(({ read }) => read),
    run: (rows, more = {}) =>
      runSums({ ...Object.fromEntries(asked.map(({ sum }, index) => [sum, rows[index]])), ...more }),
  };
}

function runSums(rows: StoredSums): RunningSums {
  const sums = new Map(
    Object.entries(sumTables).map(([name, table]) => {
      const own = rows[name as SumName] ?? [];
      const stored = new Map(own.map((row) => [identityOf(table.keyOf(row)), table.amountsOf(row)]));
      return [name, { table, stored, changes: new Map<string, SumChange>() }] as const;
    }),
  );
  const find = (name: SumName) => {
    const found = sums.get(name);
    if (found === undefined) throw new Error(`There is no sum ${name}.`);
    return found;
  };
  return {
    of: (name, key) => {
      const { stored, changes } = find(name);
      const identity = identityOf(key);
      return plusAmounts(stored.get(identity) ?? noAmounts, changes.get(identity)?.amounts ?? noAmounts, 1);
    },
    add: (legs) => {
      for (const { sum, key, amounts } of legs) {
        const { changes } = find(sum);
        const identity = identityOf(key);
        const before = changes.get(identity)?.amounts;
        changes.set(identity, { key, amounts: before === undefined ? amounts : plusAmounts(before, amounts, 1) });
      }
    },
    writes: () =>
      [...sums.values()].flatMap(({ table, stored, changes }) => {
        return changes.size === 0 ? [] : table.writes([...changes.values()], stored);
      }),
  };
}

/** Legs after a change less those before, without those that stay the same. */
export function differences<Of extends Leg<string>>(
  { before, after }: HoldMove,
  legs: (hold: CountedHold) => readonly Of[],
): readonly Of[] {
  if (before === undefined) return legs(after);
  const left = new Map(legs(before).map((leg) => [`${leg.sum} ${identityOf(leg.key)}`, leg]));
  const changed: Of[] = [];
  const add = (leg: Of, amounts: Amounts) => {
    const { operations, wei, usdMicros } = amounts;
    if (operations !== 0 || wei !== 0n || usdMicros !== 0n) changed.push({ ...leg, amounts });
  };
  for (const leg of legs(after)) {
    const identity = `${leg.sum} ${identityOf(leg.key)}`;
    const was = left.get(identity);
    left.delete(identity);
    add(leg, was === undefined ? leg.amounts : plusAmounts(leg.amounts, was.amounts, -1));
  }
  for (const leg of left.values()) add(leg, plusAmounts(noAmounts, leg.amounts, -1));
  return changed;
}
