import type { Transaction } from 'kysely';
import { limitWindows } from '../../domain/policy.ts';
import { isBudgetKey, readSubject, storedSubject } from '../../policies/called-limits/called-key.ts';
import { windowStart } from '../../policies/limit-window.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { addToHours } from './counted-hours.ts';
import { readHoldCalls } from './hold-calls.ts';
import {
  type CountedUpTo,
  forgetUsage,
  forgetUsages,
  getUsage,
  type KeptUsage,
  keyRow,
  keySubject,
  type LimitUsage,
  toKept,
  type UsageKey,
  usageWrites,
} from './limit-usage.ts';

/** A hold, and the owners of the counts it is part of. */
type CountedHold = CountedUpTo &
  PolicyKey & {
    readonly sender: string;
    readonly keyNumber: number;
    readonly subject?: string;
    readonly ticket?: string;
  };

const noCalls: ReadonlyMap<string, number> = new Map();

/**
 * Changes the stored counts that a hold is part of: when it ends, is live again, or its worth changes. Counts that have not
 * reached it yet will count it as it is by then.
 */
export async function changeUsage(
  transaction: Transaction<Database>,
  hold: CountedHold,
  change: LimitUsage,
): Promise<void> {
  await addToHours(transaction, [{ hold, change }]);
  const counts = await readUsagesOf(transaction, hold);
  const counting = counts.filter(({ kept: { upTo } }) => upTo === undefined || !isAfter(hold, upTo));
  await changeKept(
    transaction,
    counting.map(({ key, kept, calls }) => {
      return { key, kept, change: { ...change, operations: change.operations * calls } };
    }),
  );
}

/**
 * The same for a hold whose complete counts are changed elsewhere: only counts that are made in steps. They start again when
 * the worth of a hold they include is not known any more, and counts of calls when it `isMore` than before.
 */
export async function changeUnfinishedUsage(
  transaction: Transaction<Database>,
  hold: CountedHold & { readonly hasWorth: boolean; readonly isMore: boolean },
  change: LimitUsage,
): Promise<void> {
  for (const { key, kept } of await readUsagesOf(transaction, hold)) {
    if (kept.upTo === undefined || isAfter(hold, kept.upTo)) continue;
    // How much a hold's calls have changed is not known here.
    if (key.called !== undefined && !hold.isMore) continue;
    if (!hold.hasWorth || key.called !== undefined) await forgetUsage(transaction, key);
    else await changeKept(transaction, [{ key, kept, change }]);
  }
}

async function readUsagesOf(transaction: Transaction<Database>, hold: CountedHold) {
  const { paymasterId, policyId, sender, keyNumber, subject, ticket } = hold;
  const calls = (await readHoldCalls(transaction, [hold.holdId])).get(hold.holdId) ?? noCalls;
  const own = ['', sender, ...(subject ? [subject] : [])];
  const ofCalls = [...calls.keys()].flatMap((called) => own.map((one) => storedSubject({ subject: one, called })));
  const ofBudgets = [...calls.keys()].filter(isBudgetKey).map((called) => storedSubject({ subject: '', called }));
  const ofAnyPolicy = [keySubject(keyNumber), ...(ticket ? [ticket] : []), ...ofBudgets];
  const starts = [...new Set(limitWindows.map((window) => windowStart(window, hold.createdAt)))];
  const asked = { policyKey: policyKey(hold), own: [...own, ...ofCalls], paymasterId, ofAnyPolicy, starts };
  const [rows] = await runTogether(transaction, usagesOfHold(asked));
  return rows
    .filter((row) => row.span_start === windowStart(row.span, hold.createdAt))
    .map((row) => {
      const whose = readSubject(row.subject);
      return {
        key: {
          ...{ paymasterId, policyId: row.policy_key === paymasterId ? '' : policyId },
          ...{ ...whose, window: row.span, start: row.span_start },
        },
        kept: toKept(row),
        calls: whose.called === undefined ? 1 : (calls.get(whose.called) ?? 0),
      };
    });
}

type AskedUsages = Readonly<Record<'policyKey' | 'paymasterId', string>> &
  Readonly<Record<'own' | 'ofAnyPolicy', readonly string[]>> & { readonly starts: readonly number[] };

const usagesOfHold = fixedStatement<AskedUsages>()(({ db, value, texts, numbers }) =>
  db
    .selectFrom('limit_usage')
    .selectAll()
    .where(({ eb, or }) =>
      or([
        eb('policy_key', '=', value('policyKey')).and('subject', 'in', texts('own')),
        eb('policy_key', '=', value('paymasterId')).and('subject', 'in', texts('ofAnyPolicy')),
      ]),
    )
    .where('span_start', 'in', numbers('starts')),
);

type KeptChange = { readonly key: UsageKey; readonly kept: KeptUsage; readonly change: LimitUsage };

/** A count that did not know a hold's worth in USD is deleted, and counted again when it is needed. */
async function changeKept(transaction: Transaction<Database>, changes: readonly KeptChange[]): Promise<void> {
  const changed = changes.map(({ key, kept: { usage, ...kept }, change }) => ({
    key,
    kept: {
      ...kept,
      usage: {
        operations: usage.operations + change.operations,
        wei: usage.wei + change.wei,
        usdMicros: kept.countsUsd ? usage.usdMicros + change.usdMicros : 0n,
      },
    },
  }));
  await runTogether(
    transaction,
    usageWrites(changed.filter(({ kept }) => !isBelowZero(kept.usage))),
    forgetUsages(changed.filter(({ kept }) => isBelowZero(kept.usage)).map(({ key }) => keyRow(key))),
  );
}

function isBelowZero({ operations, wei, usdMicros }: LimitUsage): boolean {
  return operations < 0 || wei < 0n || usdMicros < 0n;
}

/**
 * Subtracts a hold from a complete stored count, because the hold now belongs to another. One that is being counted in steps
 * starts again.
 */
export async function takeOffKept(
  transaction: Transaction<Database>,
  key: UsageKey,
  { operations, wei, usdMicros }: LimitUsage,
): Promise<void> {
  const kept = await getUsage(transaction, key);
  if (kept === undefined) return;
  if (kept.upTo !== undefined) return forgetUsage(transaction, key);
  await changeKept(transaction, [{ key, kept, change: { operations: -operations, wei: -wei, usdMicros: -usdMicros } }]);
}

function isAfter(hold: CountedUpTo, location: CountedUpTo): boolean {
  if (hold.createdAt !== location.createdAt) return hold.createdAt > location.createdAt;
  return hold.holdId > location.holdId;
}
