import { sql, type Transaction } from 'kysely';
import { secondsPerDay } from '../../domain/utc-days.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

/** What a tank paid for one operation, in wei, or what of that is rolled back (`isBack`). */
export type Settled = {
  readonly tankId: number;
  /** Whose operation it was; undefined where no hold explains it. */
  readonly paymasterId: string | undefined;
  /** Unix seconds: when it was booked. */
  readonly bookedAt: number;
  readonly isBack: boolean;
  readonly wei: bigint;
  /** What the EntryPoint took for it from the contract, in wei. */
  readonly cost: bigint;
  /** What of the first a user paid for in a token, in wei. */
  readonly usersPaid: bigint;
  /** What the first of the two was worth then, and a coin, in millionths of a USD; null where no price was known. */
  readonly usdMicros: number | null;
  readonly usdMicrosPerCoin: number | null;
};

const weiPerCoin = 10n ** 18n;

/** Adds it to the sums of its day. */
export async function addSettled(transaction: Transaction<Database>, settled: Settled): Promise<void> {
  const { tankId: tank_id, paymasterId: paymaster_id = '', bookedAt, usdMicros } = settled;
  const key = { tank_id, day: bookedAt - (bookedAt % secondsPerDay), paymaster_id, back: settled.isBack ? 1 : 0 };
  const kept = await transaction
    .selectFrom('settled_days')
    .select(['wei', 'cost', 'users_paid'])
    .where('tank_id', '=', tank_id)
    .where('day', '=', key.day)
    .where('paymaster_id', '=', paymaster_id)
    .where('back', '=', key.back)
    .executeTakeFirst();
  const wei = toWeiText((kept === undefined ? 0n : fromWeiText(kept.wei)) + settled.wei);
  const cost = toWeiText((kept === undefined ? 0n : fromWeiText(kept.cost)) + settled.cost);
  const users_paid = toWeiText((kept === undefined ? 0n : fromWeiText(kept.users_paid)) + settled.usersPaid);
  const premium = ((settled.wei - settled.cost) * BigInt(settled.usdMicrosPerCoin ?? 0)) / weiPerCoin;
  const worth = usdMicros === null ? { priced: 0, usd_micros: 0 } : { priced: 1, usd_micros: usdMicros };
  await transaction
    .insertInto('settled_days')
    .values({ ...key, operations: 1, wei, cost, users_paid, ...worth, premium_usd_micros: Number(premium) })
    .onConflict((conflict) =>
      conflict.columns(['tank_id', 'day', 'paymaster_id', 'back']).doUpdateSet(({ ref }) => ({
        operations: sql`${ref('settled_days.operations')} + 1`,
        wei,
        cost,
        users_paid,
        priced: sql`${ref('settled_days.priced')} + ${ref('excluded.priced')}`,
        usd_micros: sql`${ref('settled_days.usd_micros')} + ${ref('excluded.usd_micros')}`,
        premium_usd_micros: sql`${ref('settled_days.premium_usd_micros')} + ${ref('excluded.premium_usd_micros')}`,
      })),
    )
    .execute();
}
