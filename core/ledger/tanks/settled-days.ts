import { sql, type Transaction } from 'kysely';
import { secondsPerDay } from '../../domain/time/utc-days.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

/** What a tank paid for one operation, in wei, or what of that is taken back (`isBack`). */
export type Settled = {
  readonly tankId: number;
  /** Whose operation it was; undefined where no hold explains it. */
  readonly paymasterId: string | undefined;
  /** Unix seconds: when it was booked. */
  readonly bookedAt: number;
  readonly isBack: boolean;
  readonly wei: bigint;
  /** What that was worth then, in millionths of a USD; null where no price was known. */
  readonly usdMicros: number | null;
};

/** Adds it to the sums of its day. */
export async function addSettled(transaction: Transaction<Database>, settled: Settled): Promise<void> {
  const { tankId: tank_id, paymasterId: paymaster_id = '', bookedAt, usdMicros } = settled;
  const key = { tank_id, day: bookedAt - (bookedAt % secondsPerDay), paymaster_id, back: settled.isBack ? 1 : 0 };
  const kept = await transaction
    .selectFrom('settled_days')
    .select('wei')
    .where('tank_id', '=', tank_id)
    .where('day', '=', key.day)
    .where('paymaster_id', '=', paymaster_id)
    .where('back', '=', key.back)
    .executeTakeFirst();
  const wei = toWeiText((kept === undefined ? 0n : fromWeiText(kept.wei)) + settled.wei);
  const worth = usdMicros === null ? { priced: 0, usd_micros: 0 } : { priced: 1, usd_micros: usdMicros };
  await transaction
    .insertInto('settled_days')
    .values({ ...key, operations: 1, wei, ...worth })
    .onConflict((conflict) =>
      conflict.columns(['tank_id', 'day', 'paymaster_id', 'back']).doUpdateSet(({ ref }) => ({
        operations: sql`${ref('settled_days.operations')} + 1`,
        wei,
        priced: sql`${ref('settled_days.priced')} + ${ref('excluded.priced')}`,
        usd_micros: sql`${ref('settled_days.usd_micros')} + ${ref('excluded.usd_micros')}`,
      })),
    )
    .execute();
}
