import type { Kysely, Selectable, Transaction } from 'kysely';
import { type LimitWindow, limitWindows } from '../../domain/policy.ts';
import { isBudgetKey } from '../../policies/called-limits/budget-key.ts';
import { readSubject, storedSubject } from '../../policies/called-limits/called-subject.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import { windowStart } from '../../policies/schedule/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { deleteRows, insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';
import { addToHours } from './counted-hours.ts';
import { readHoldCalls } from './hold-calls.ts';

/**
 * Which policy's holds of which window a count is about. `subject` is a sender, a {@link keySubject}, a user or a
 * ticket (digests behind `subject:` and `ticket:`), or empty for all of them together. What counts whichever policy was
 * chosen, keys, tickets and budgets of webhooks, is under the default one.
 */
export type UsageKey = PolicyKey & {
  readonly subject: string;
  readonly window: LimitWindow;
  /** Unix seconds. */
  readonly start: number;
  /**
   * Of which calls, by the key of a limit of a contract or method: operations are calls then. Of all operations without
   * it.
   */
  readonly called?: string;
};

/** Before the number of a key whose count it is. */
export const ofKey = 'key:';

/** What is sponsored with one of the paymaster's keys, by its number. */
export function keySubject(keyNumber: number): string {
  return `${ofKey}${keyNumber}`;
}

/** What holds come to, for limits: live ones with what they set aside, settled ones with what they cost. */
export type LimitUsage = { operations: number; wei: bigint; usdMicros: bigint };

/** A place in the order in which holds are counted: when it was made (Unix seconds), then its id. */
export type CountedUpTo = { readonly createdAt: number; readonly holdId: number };

/** A count as it is kept. */
export type KeptUsage = {
  readonly usage: LimitUsage;
  /** Whether each hold had its worth in USD when it was counted; `usdMicros` is 0 where not. */
  readonly countsUsd: boolean;
  /** While it is counted in steps: it has the holds up to this one, and no others. Absent once it has all. */
  readonly upTo?: CountedUpTo;
};

/** Which hold, and whose counts it is part of. */
export type CountedHold = CountedUpTo &
  PolicyKey & {
    readonly sender: string;
    readonly keyNumber: number;
    readonly subject?: string;
    readonly ticket?: string;
  };

const noCalls: ReadonlyMap<string, number> = new Map();

/** The count that is kept under a key, if any. */
export async function getUsage(transaction: Kysely<Database>, key: UsageKey): Promise<KeptUsage | undefined> {
  const [[row]] = await runTogether(transaction, usagesOf([key]));
  return row === undefined ? undefined : toKept(row);
}

const keyColumns = { policy_key: 'text', subject: 'text', span: 'text', span_start: 'number' } as const;
type KeyRow = Pick<Selectable<Database['limit_usage']>, keyof typeof keyColumns>;

/** The counts that are kept under keys, as they are stored. */
export const usagesOf = fixedStatement<readonly UsageKey[]>()(({ db, rows }) =>
  db
    .selectFrom('limit_usage')
    .innerJoin(
      rows<KeyRow>(keyColumns, (keys) =>
        keys.map((key) => [policyKey(key), storedSubject(key), key.window, key.start]),
      ).as('asked'),
      (join) =>
        join
          .onRef('asked.policy_key', '=', 'limit_usage.policy_key')
          .onRef('asked.subject', '=', 'limit_usage.subject')
          .onRef('asked.span', '=', 'limit_usage.span')
          .onRef('asked.span_start', '=', 'limit_usage.span_start'),
    )
    .select(['limit_usage.policy_key', 'limit_usage.subject', 'limit_usage.span', 'limit_usage.span_start'])
    .select(['operations', 'wei', 'usd_micros', 'counts_usd', 'counted_until', 'counted_hold']),
);

type CountColumns = 'operations' | 'wei' | 'usd_micros' | 'counts_usd' | 'counted_until' | 'counted_hold';

export function toKept(row: Pick<Selectable<Database['limit_usage']>, CountColumns>): KeptUsage {
  const { counted_until: createdAt, counted_hold: holdId } = row;
  return {
    usage: { operations: row.operations, wei: fromWeiText(row.wei), usdMicros: BigInt(row.usd_micros) },
    countsUsd: row.counts_usd === 1,
    ...(createdAt === null || holdId === null ? {} : { upTo: { createdAt, holdId } }),
  };
}

/**
 * Changes the counts that a hold is part of, where they are kept: when it ends, stands again, or its worth changes.
 * Those that have not come to it will count it as it is by then.
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
 * The same of a hold whose complete counts are changed by others: only those that are counted in steps. They are
 * begun again when a hold that they have is of no known worth any more, and those of calls when it `isMore` than
 * before.
 */
export async function changeUnfinishedUsage(
  transaction: Transaction<Database>,
  hold: CountedHold & { readonly hasWorth: boolean; readonly isMore: boolean },
  change: LimitUsage,
): Promise<void> {
  for (const { key, kept } of await readUsagesOf(transaction, hold)) {
    if (kept.upTo === undefined || isAfter(hold, kept.upTo)) continue;
    // By how much a hold's calls have changed is not known here.
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

/** A count that did not know a hold's worth in USD is forgotten, and counted again when it is needed. */
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
 * Takes a hold off a complete count that is kept, because the hold is another's now. One that is being counted in
 * steps is begun again.
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

export async function forgetUsage(transaction: Transaction<Database>, key: UsageKey): Promise<void> {
  await runTogether(transaction, forgetUsages([keyRow(key)]));
}

const forgetUsages = deleteRows('limit_usage', keyColumns);

function keyRow(key: UsageKey): KeyRow {
  return { policy_key: policyKey(key), subject: storedSubject(key), span: key.window, span_start: key.start };
}

const keepUsages = insertRows(
  'limit_usage',
  {
    ...keyColumns,
    ...({ operations: 'number', wei: 'text', usd_micros: 'number' } as const),
    ...({ counts_usd: 'number', counted_until: 'number', counted_hold: 'number', ends_at: 'number' } as const),
  },
  {
    onConflict: `(policy_key, subject, span, span_start) DO UPDATE SET operations = excluded.operations, wei = excluded.wei,
      usd_micros = excluded.usd_micros, counts_usd = excluded.counts_usd, counted_until = excluded.counted_until,
      counted_hold = excluded.counted_hold,
      ends_at = CASE WHEN excluded.ends_at IS NULL OR limit_usage.ends_at >= excluded.ends_at
        THEN limit_usage.ends_at ELSE excluded.ends_at END`,
  },
);

/** A count to be written. `endsAt` is the end of a ticket that it is of; the latest that was ever said stays. */
export type WrittenUsage = { readonly key: UsageKey; readonly kept: KeptUsage; readonly endsAt?: number | undefined };

export function usageWrites(written: readonly WrittenUsage[]): Statement<unknown> {
  return keepUsages(
    written.map(({ key, kept: { usage, countsUsd, upTo }, endsAt }) => ({
      ...keyRow(key),
      operations: usage.operations,
      wei: toWeiText(usage.wei),
      usd_micros: Number(usage.usdMicros),
      counts_usd: countsUsd ? 1 : 0,
      counted_until: upTo?.createdAt ?? null,
      counted_hold: upTo?.holdId ?? null,
      ends_at: endsAt ?? null,
    })),
  );
}

export async function writeUsage(transaction: Transaction<Database>, key: UsageKey, kept: KeptUsage): Promise<void> {
  await runTogether(transaction, usageWrites([{ key, kept }]));
}

function isAfter(hold: CountedUpTo, location: CountedUpTo): boolean {
  if (hold.createdAt !== location.createdAt) return hold.createdAt > location.createdAt;
  return hold.holdId > location.holdId;
}
