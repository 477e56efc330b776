import type { Transaction } from 'kysely';
import { limitWindows } from '../../domain/policy.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';
import type { RowOf, Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { type Amounts, type CountedHold, limitLegs } from '../sums/hold-legs.ts';
import { differences, type HoldMove } from '../sums/running-sums.ts';
import { identityOf, plusAmounts } from '../sums/sum-tables.ts';
import {
  type CountedUpTo,
  forgetUsage,
  forgetUsages,
  getUsage,
  type KeptUsage,
  type KeyRow,
  keyRow,
  type LimitUsage,
  toKept,
  type UsageKey,
  usageRowsOf,
  usageWrites,
} from './limit-usage.ts';

/** By how much a count of a limit changes for each hold that it may have. */
export type CountChange = {
  readonly key: KeyRow;
  readonly ofHolds: readonly { readonly hold: CountedHold; readonly amounts: Amounts }[];
};

type CountRow = RowOf<typeof usageRowsOf>;

/** What holds that change are to counts of limits, each key once, whether the count is kept or not. */
export function countChanges(moves: readonly HoldMove[]): readonly CountChange[] {
  type Growing = CountChange & { readonly ofHolds: CountChange['ofHolds'][number][] };
  const changes = new Map<string, Growing>();
  for (const move of moves) {
    const { createdAt } = move.after;
    const starts = limitWindows.map((span) => ({ span, span_start: windowStart(span, createdAt) }));
    for (const { key: ofLimit, amounts } of differences(move, limitLegs)) {
      const [policy_key, subject] = ofLimit;
      for (const start of starts) {
        const key = { policy_key, subject, ...start };
        const identity = identityOf(Object.values(key));
        const change: Growing = changes.get(identity) ?? { key, ofHolds: [] };
        change.ofHolds.push({ amounts, hold: move.after });
        changes.set(identity, change);
      }
    }
  }
  return [...changes.values()];
}

/**
 * Statements that change the counts that are kept. One that is counted in steps and has not come to a hold will count it as it is by
 * then; it is begun again when it has a hold whose worth in USD is not known any more. One that comes to less than nothing did not know
 * a worth either: it is forgotten, and counted again when it is needed.
 */
export function changeCounts(
  changes: readonly CountChange[],
  rows: readonly CountRow[],
): readonly Statement<unknown>[] {
  const changed = new Map(changes.map(({ key, ofHolds }) => [identityOf(Object.values(key)), ofHolds]));
  const counts = rows.map((row) => {
    const { policy_key, subject, span, span_start } = row;
    const key = { policy_key, subject, span, span_start };
    const { usage, ...kept } = toKept(row);
    const { upTo } = kept;
    const own = (changed.get(identityOf(Object.values(key))) ?? []).filter(({ hold }) => !isAhead(hold, upTo));
    const sum = own.reduce<Amounts>((all, { amounts }) => plusAmounts(all, amounts, 1), usage);
    const isLost = kept.countsUsd && upTo !== undefined && own.some(({ hold }) => hold.usdMicros === undefined);
    return { key, kept: { ...kept, usage: { ...sum, usdMicros: kept.countsUsd ? sum.usdMicros : 0n } }, isLost };
  });
  const isKept = ({ kept, isLost }: (typeof counts)[number]) => !isLost && !isBelowZero(kept.usage);
  return [
    usageWrites(counts.filter(isKept)),
    forgetUsages(counts.filter((count) => !isKept(count)).map(({ key }) => key)),
  ];
}

/** Whether a count that is made in steps has not come to a hold yet. */
function isAhead({ createdAt, holdId = 0 }: CountedHold, upTo: CountedUpTo | undefined): boolean {
  if (upTo === undefined) return false;
  return createdAt === upTo.createdAt ? holdId > upTo.holdId : createdAt > upTo.createdAt;
}

function isBelowZero({ operations, wei, usdMicros }: LimitUsage): boolean {
  return operations < 0 || wei < 0n || usdMicros < 0n;
}

/** Changes the counts that are made in steps, where the complete ones are changed by others. */
export async function changeUnfinishedCounts(
  transaction: Transaction<Database>,
  moves: readonly HoldMove[],
): Promise<void> {
  const changes = countChanges(moves);
  const [rows] = await runTogether(transaction, usageRowsOf(changes.map(({ key }) => key)));
  const unfinished = rows.filter(({ counted_until }) => counted_until !== null);
  await runTogether(transaction, ...changeCounts(changes, unfinished));
}

/**
 * Takes a hold off a complete count that is kept, because the hold is another's now. One that is being counted in
 * steps is begun again.
 */
export async function takeOffKept(
  transaction: Transaction<Database>,
  key: UsageKey,
  counted: LimitUsage,
): Promise<void> {
  const found = await getUsage(transaction, key);
  if (found === undefined) return;
  const kept = takenOff(found, counted);
  if (found.upTo !== undefined || isBelowZero(kept.usage)) return forgetUsage(transaction, key);
  await runTogether(transaction, usageWrites([{ key: keyRow(key), kept }]));
}

function takenOff({ usage, ...kept }: KeptUsage, counted: LimitUsage): KeptUsage {
  const left = plusAmounts(usage, counted, -1);
  return { ...kept, usage: { ...left, usdMicros: kept.countsUsd ? left.usdMicros : 0n } };
}
