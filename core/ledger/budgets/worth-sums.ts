import { type Kysely, sql, type Transaction } from 'kysely';
import type { BudgetWindow } from '../../domain/budgets/budget.ts';
import { windowEnd, windowStart } from '../../policies/schedule/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';

/** By how much the worth of holds changed that were made at `createdAt` (Unix seconds), in millionths of a USD. */
export type WorthChange = {
  readonly accountId: string;
  readonly paymasterId: string;
  readonly createdAt: number;
  readonly usdMicros: bigint;
};

/** Whose worth is asked for: of all the account's paymasters, or of some. */
export type WorthOwner = { readonly accountId: string; readonly paymasterIds?: readonly string[] };

/** Under which the sums of all of an account's paymasters together are. */
const all = '';

/**
 * Keeps the sums that budgets are counted by in step with holds that are made, change or end. They are kept whether there is a budget or
 * not, by paymaster and day: nothing that becomes of a budget changes what has been used of it.
 */
export async function addWorth(transaction: Transaction<Database>, changes: readonly WorthChange[]): Promise<void> {
  const sums = new Map<string, { key: SumKey; usdMicros: bigint }>();
  for (const { usdMicros, ...change } of changes) {
    for (const key of sumKeys(change)) {
      const text = Object.values(key).join(' ');
      sums.set(text, { key, usdMicros: (sums.get(text)?.usdMicros ?? 0n) + usdMicros });
    }
  }
  const rows = [...sums.values()]
    .filter(({ usdMicros }) => usdMicros !== 0n)
    .map(({ key, usdMicros }) => ({ ...key, usd_micros: Number(usdMicros) }));
  if (rows.length === 0) return;
  await transaction
    .insertInto('worth_sums')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'paymaster_id', 'span', 'span_start']).doUpdateSet(({ eb, ref }) => ({
        usd_micros: eb('worth_sums.usd_micros', '+', ref('excluded.usd_micros')),
      })),
    )
    .execute();
}

type SumKey = Pick<Database['worth_sums'], 'account_id' | 'paymaster_id' | 'span' | 'span_start'>;

function sumKeys({ accountId, paymasterId, createdAt }: Omit<WorthChange, 'usdMicros'>): readonly SumKey[] {
  const spans = ['day', 'ever'] as const;
  return [paymasterId, all].flatMap((paymaster_id) =>
    spans.map((span) => ({ account_id: accountId, paymaster_id, span, span_start: windowStart(span, createdAt) })),
  );
}

/** The worth of what was held in one window and not given back. */
export async function readWorth(
  db: Kysely<Database>,
  {
    accountId,
    paymasterIds = [all],
    window,
    start,
  }: WorthOwner & { readonly window: BudgetWindow; readonly start: number },
): Promise<bigint> {
  const row = await db
    .selectFrom('worth_sums')
    .select(sql<string>`CAST(coalesce(sum(usd_micros), 0) AS TEXT)`.as('worth'))
    .where('account_id', '=', accountId)
    .where('paymaster_id', 'in', dialectOf(db).texts(paymasterIds))
    .where('span', '=', window === 'ever' ? 'ever' : 'day')
    .where('span_start', '>=', start)
    .where('span_start', '<', windowEnd(window, start) ?? Number.MAX_SAFE_INTEGER)
    .executeTakeFirstOrThrow();
  return BigInt(row.worth);
}
