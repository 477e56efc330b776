import type { Kysely, Selectable, Transaction } from 'kysely';
import type { LimitWindow } from '../../domain/policy.ts';
import { storedSubject } from '../../policies/called-limits.ts';
import { type PolicyKey, policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { deleteRows, insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';

/**
 * The policy and the window whose holds a count is about. `subject` is a sender, a {@link keySubject}, a user or a ticket
 * (digests after `subject:` and `ticket:`), or empty for all of them together. What counts whichever policy was chosen
 * (keys, tickets and budgets of webhooks) is under the default policy.
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

/** The prefix before the number of the key that a count is of. */
export const ofKey = 'key:';

/** The subject of what is sponsored with one of the paymaster's keys, by its number. */
export function keySubject(keyNumber: number): string {
  return `${ofKey}${keyNumber}`;
}

/** The sums of holds, for limits: live ones with what they set aside, settled ones with what they cost. */
export type LimitUsage = { operations: number; wei: bigint; usdMicros: bigint };

/** A place in the order in which holds are counted: when the hold was made (Unix seconds), then its id. */
export type CountedUpTo = { readonly createdAt: number; readonly holdId: number };

/** A count as it is stored. */
export type KeptUsage = {
  readonly usage: LimitUsage;
  /** Whether each hold had its worth in USD when it was counted; `usdMicros` is 0 where not. */
  readonly countsUsd: boolean;
  /** While it is counted in steps: it includes the holds up to this one, and no others. Absent once it includes all. */
  readonly upTo?: CountedUpTo;
};

/** The count that is stored under a key, if any. */
export async function getUsage(transaction: Kysely<Database>, key: UsageKey): Promise<KeptUsage | undefined> {
  const [[row]] = await runTogether(transaction, usagesOf([key]));
  return row === undefined ? undefined : toKept(row);
}

const keyColumns = { policy_key: 'text', subject: 'text', span: 'text', span_start: 'number' } as const;
type KeyRow = Pick<Selectable<Database['limit_usage']>, keyof typeof keyColumns>;

/** The counts under these keys, as they are stored. */
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

export async function forgetUsage(transaction: Transaction<Database>, key: UsageKey): Promise<void> {
  await runTogether(transaction, forgetUsages([keyRow(key)]));
}

export const forgetUsages = deleteRows('limit_usage', keyColumns);

export function keyRow(key: UsageKey): KeyRow {
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

/** A count to be written. `endsAt` is the end of the ticket that it is of; the latest that was ever given is stored. */
export type WrittenUsage = { readonly key: KeyRow; readonly kept: KeptUsage; readonly endsAt?: number | undefined };

export function usageWrites(written: readonly WrittenUsage[]): Statement<unknown> {
  return keepUsages(
    written.map(({ key, kept: { usage, countsUsd, upTo }, endsAt }) => ({
      ...key,
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
  await runTogether(transaction, usageWrites([{ key: keyRow(key), kept }]));
}

/** For each of these paymasters that had counts of tickets pruned, the latest end of these tickets in Unix seconds. */
export async function readForgottenTickets(
  db: Kysely<Database>,
  paymasterIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const [rows] = await runTogether(db, forgottenTicketsOf([...paymasterIds]));
  return toForgottenTickets(rows);
}

/** The rows of {@link readForgottenTickets}. */
export const forgottenTicketsOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('forgotten_tickets').select(['paymaster_id', 'ended_until']).where('paymaster_id', 'in', texts()),
);

export function toForgottenTickets(rows: readonly RowOf<typeof forgottenTicketsOf>[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ paymaster_id, ended_until }) => [paymaster_id, ended_until]));
}

/**
 * Whether limits no longer count a hold: its operation cannot land any more, neither by our signature nor by that of another
 * paymaster.
 */
export function isGivenBack({ state, upstream }: Pick<Database['holds'], 'state'> & { readonly upstream: number }) {
  return state === 'released' && upstream === 0;
}
