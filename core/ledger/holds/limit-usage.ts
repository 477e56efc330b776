import type { Transaction } from 'kysely';
import { type LimitWindow, limitWindows } from '../../domain/policy.ts';
import { worthUsdMicros } from '../../policies/rules/worth-usd-micros.ts';
import { windowEnd, windowStart } from '../../policies/schedule/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/sum-wei.ts';
import { fromWeiText, toWeiText } from '../../store/wei-text.ts';

/** Whose holds of which window a count is about. `subject` is a sender, or empty for all of them together. */
export type UsageKey = {
  readonly paymasterId: string;
  readonly subject: string;
  readonly window: LimitWindow;
  /** Unix seconds. */
  readonly start: number;
};

/** What holds come to, for limits: live ones with what they set aside, settled ones with what they cost. */
export type LimitUsage = { operations: number; wei: bigint; usdMicros: bigint };

/** Counts a window's holds from the holds themselves. */
export async function countUsage(transaction: Transaction<Database>, key: UsageKey): Promise<LimitUsage> {
  const row = await holdsOf(transaction, key)
    .select(({ fn }) => [
      fn.countAll<number>().as('operations'),
      sumWei('counted').as('wei'),
      fn.sum<number | null>('usd_micros').as('usd_micros'),
    ])
    .executeTakeFirstOrThrow();
  return { operations: Number(row.operations), wei: fromWeiSum(row.wei), usdMicros: BigInt(row.usd_micros ?? 0) };
}

/** Changes the counts that a hold is part of, where they are kept: when it ends, or its worth does. */
export async function changeUsage(
  transaction: Transaction<Database>,
  hold: { readonly paymasterId: string; readonly sender: string; readonly createdAt: number },
  change: LimitUsage,
): Promise<void> {
  const rows = await transaction
    .selectFrom('limit_usage')
    .selectAll()
    .where('paymaster_id', '=', hold.paymasterId)
    .where('subject', 'in', ['', hold.sender])
    .where('span_start', 'in', [...new Set(limitWindows.map((window) => windowStart(window, hold.createdAt)))])
    .execute();
  for (const row of rows) {
    if (row.span_start !== windowStart(row.span, hold.createdAt)) continue;
    const key = { paymasterId: row.paymaster_id, subject: row.subject, window: row.span, start: row.span_start };
    const usage: LimitUsage = {
      operations: row.operations + change.operations,
      wei: fromWeiText(row.wei) + change.wei,
      usdMicros: BigInt(row.usd_micros) + change.usdMicros,
    };
    // A count that did not know the hold's worth in USD is counted again when it is needed.
    if (usage.operations < 0 || usage.wei < 0n || usage.usdMicros < 0n) await forgetUsage(transaction, key);
    else await writeUsage(transaction, key, usage);
  }
}

async function forgetUsage(transaction: Transaction<Database>, key: UsageKey): Promise<void> {
  await transaction
    .deleteFrom('limit_usage')
    .where('paymaster_id', '=', key.paymasterId)
    .where('subject', '=', key.subject)
    .where('span', '=', key.window)
    .where('span_start', '=', key.start)
    .execute();
}

export async function writeUsage(transaction: Transaction<Database>, key: UsageKey, usage: LimitUsage): Promise<void> {
  const counts = { operations: usage.operations, wei: toWeiText(usage.wei), usd_micros: Number(usage.usdMicros) };
  await transaction
    .insertInto('limit_usage')
    .values({ paymaster_id: key.paymasterId, subject: key.subject, span: key.window, span_start: key.start, ...counts })
    .onConflict((conflict) => conflict.columns(['paymaster_id', 'subject', 'span', 'span_start']).doUpdateSet(counts))
    .execute();
}

function holdsOf(transaction: Transaction<Database>, { paymasterId, subject, window, start }: UsageKey) {
  const end = windowEnd(window, start);
  let query = transaction
    .selectFrom('holds')
    .where('paymaster_id', '=', paymasterId)
    .where('created_at', '>=', start)
    .where('state', '<>', 'released')
    .where('counted', 'is not', null);
  if (subject !== '') query = query.where('sender', '=', subject);
  if (end !== undefined) query = query.where('created_at', '<', end);
  return query;
}

/**
 * Values the window's holds that were made while no limit asked for USD: at the price of this moment, which they keep.
 * Answers what each is worth, by its id.
 */
export async function valueHolds(
  transaction: Transaction<Database>,
  key: UsageKey,
  usdMicrosPerCoin: bigint,
): Promise<ReadonlyMap<number, bigint>> {
  const rows = await holdsOf(transaction, key).select(['hold_id', 'counted']).where('usd_micros', 'is', null).execute();
  const values = new Map<number, bigint>();
  for (const { hold_id, counted } of rows) {
    if (counted === null) continue;
    const worth = worthUsdMicros(fromWeiText(counted), usdMicrosPerCoin);
    values.set(hold_id, worth);
    await transaction
      .updateTable('holds')
      .set({ usd_micros: Number(worth) })
      .where('hold_id', '=', hold_id)
      .execute();
  }
  return values;
}
