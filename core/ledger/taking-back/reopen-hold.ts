import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei-text.ts';

/** A hold that stands again, and what it holds in wei. */
export type Reopened = { readonly amount: bigint };

/**
 * Has a hold stand again that an event had ended: its signature may still land. Undefined when another hold stands for the
 * same nonce meanwhile, which covers it; then it counts as let go of. What limits have counted is counted anew.
 */
export async function reopenHold(transaction: Transaction<Database>, holdId: number): Promise<Reopened | undefined> {
  const hold = await transaction
    .selectFrom('holds')
    .select(['tank_id', 'slot', 'paymaster_id', 'amount', 'counted', 'usd_micros', 'charge'])
    .where('hold_id', '=', holdId)
    .executeTakeFirstOrThrow();
  const other = await transaction
    .selectFrom('holds')
    .select('hold_id')
    .where('slot', '=', hold.slot)
    .where('tank_id', '=', hold.tank_id)
    .where('paymaster_id', '=', hold.paymaster_id)
    .where('state', '=', 'live')
    .executeTakeFirst();
  const stands = other === undefined;
  const notLanded = { charge: null, success: null, landed_tx: null, unpaid: null, unpaid_at: null };
  // What it was worth is not kept once it has ended, and is asked for again.
  const counted = hold.counted === null ? {} : { counted: stands ? hold.amount : toWeiText(0n), usd_micros: null };
  await transaction
    .updateTable('holds')
    .set({ ...notLanded, ...counted, state: stands ? 'live' : 'released' })
    .where('hold_id', '=', holdId)
    .execute();
  await transaction.deleteFrom('limit_usage').where('paymaster_id', '=', hold.paymaster_id).execute();
  return stands ? { amount: fromWeiText(hold.amount) } : undefined;
}
