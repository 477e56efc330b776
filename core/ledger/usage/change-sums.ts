import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { plusWei } from '../../store/wei/plus-wei.ts';
import { type KeyedDecision, usageKeys } from './usage-keys.ts';

/** By how much the sums change that a decision is part of: counts, wei, and millionths of a USD; each can be below zero. */
export type UsageChange = {
  readonly signed: number;
  readonly refused: number;
  readonly landed: number;
  readonly charge: bigint;
  readonly usersPaid: bigint;
  readonly priced: number;
  readonly usdMicros: number;
};

export const noChange: UsageChange = {
  signed: 0,
  refused: 0,
  landed: 0,
  charge: 0n,
  usersPaid: 0n,
  priced: 0,
  usdMicros: 0,
};

const columns = { dimension: 'text', span_days: 'number', day: 'number', key: 'text' } as const;

/** Changes the sums that a decision has been counted in. */
export async function changeSums(
  transaction: Transaction<Database>,
  decision: KeyedDecision & { readonly paymaster_id: string },
  { signed, refused, landed, charge, usersPaid, priced, usdMicros }: UsageChange,
): Promise<void> {
  const keys = usageKeys(decision).map(({ dimension, span_days, day, key }) => [dimension, span_days, day, key]);
  await sql`
    UPDATE usage_sums SET
      signed = usage_sums.signed + ${signed}, refused = usage_sums.refused + ${refused},
      landed = usage_sums.landed + ${landed}, charge = ${plusWei('usage_sums.charge', charge)},
      users_paid = ${plusWei('usage_sums.users_paid', usersPaid)},
      priced = usage_sums.priced + ${priced}, usd_micros = usage_sums.usd_micros + ${usdMicros}
    FROM ${dialectOf(transaction).rows(columns, keys)} AS changed
    WHERE usage_sums.paymaster_id = ${decision.paymaster_id} AND usage_sums.dimension = changed.dimension
      AND usage_sums.span_days = changed.span_days AND usage_sums.day = changed.day AND usage_sums.key = changed.key
  `.execute(transaction);
}
