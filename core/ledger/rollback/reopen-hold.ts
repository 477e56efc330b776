import type { Transaction } from 'kysely';
import { policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';
import { changeWorth } from '../budgets/change-worth.ts';
import { changeUsage } from '../counts/change-usage.ts';
import { keySubject } from '../counts/limit-usage.ts';
import { ownerOf } from '../holds/hold-owner.ts';
import { changeOpenHolds } from '../holds/open-holds.ts';
import { openRelayed } from '../holds/relayed-operations.ts';
import { takeCostOff } from '../usage/count-cost.ts';

/** A hold that is live again, and what it holds in wei. */
type Reopened = { readonly amount: bigint };

/**
 * Makes a hold live again that an event had ended: its signature may still land, and limits count as much of it as before.
 * Undefined when another hold is live for the same nonce meanwhile, which covers it; then it counts as released.
 */
export async function reopenHold(transaction: Transaction<Database>, holdId: number): Promise<Reopened | undefined> {
  const hold = await transaction
    .selectFrom('holds')
    .selectAll()
    .where('hold_id', '=', holdId)
    .executeTakeFirstOrThrow();
  const other = await transaction
    .selectFrom('holds')
    .select('hold_id')
    .where('slot', '=', hold.slot)
    .where('tank_id', '=', hold.tank_id)
    .where('paymaster_id', '=', hold.paymaster_id)
    .where('policy_id', '=', hold.policy_id)
    .where('state', '=', 'live')
    .executeTakeFirst();
  const stands = other === undefined;
  const after = stands
    ? countedAgain(hold)
    : { counted: hold.counted === null ? null : toWeiText(0n), usd_micros: 0, worth: 0 };
  if (hold.state === 'settled' && hold.charge !== null) {
    await takeCostOff(transaction, {
      holdId,
      charge: fromWeiText(hold.charge),
      usdMicros: hold.charge_usd,
      usersPaid: wei(hold.users_paid),
    });
  }
  const notLanded = {
    charge: null,
    charge_usd: null,
    success: null,
    landed_tx: null,
    landed_hash: null,
    landed_block: null,
    ended_at: null,
    unpaid: null,
    unpaid_at: null,
    users_paid: null,
  };
  await transaction
    .updateTable('holds')
    .set({ ...notLanded, ...after, ...(stands ? { state: 'live', released_because: null } : coveredByOther) })
    .where('hold_id', '=', holdId)
    .execute();
  await countAgain(transaction, hold, after, stands);
  if (stands) await openRelayed(transaction, holdId);
  const amount = fromWeiText(hold.amount);
  if (!stands) return undefined;
  const lastsLong = hold.lasts_long === 1;
  await changeOpenHolds(transaction, { tankId: hold.tank_id, sender: hold.sender, client: null, amount, lastsLong }, 1);
  return { amount };
}

/** The other hold for the nonce covers what may still land. */
const coveredByOther = { state: 'released', released_because: 'replaced' } as const;

function wei(text: string | null): bigint {
  return text === null ? 0n : fromWeiText(text);
}

type EndedHold = {
  readonly hold_id: number;
  readonly paymaster_id: string;
  readonly policy_id: string;
  readonly sender: string;
  readonly state: Database['holds']['state'];
  readonly amount: string;
  readonly counted: string | null;
  readonly usd_micros: number | null;
  readonly counted_held: string | null;
  readonly usd_held: number | null;
  readonly worth: number | null;
  readonly worth_held: number | null;
  readonly subject: string | null;
  readonly ticket: string | null;
  readonly created_at: number;
  readonly key_number: number;
};
type Counted = Pick<EndedHold, 'counted' | 'usd_micros' | 'worth'>;

/**
 * What limits count of a hold that is live again. Earlier versions did not store it: then it is the highest possible value.
 */
function countedAgain({ amount, counted, counted_held, usd_held, worth, worth_held }: EndedHold): Counted {
  const isCounted = counted !== null;
  return { counted: isCounted ? (counted_held ?? amount) : null, usd_micros: usd_held, worth: worth_held ?? worth };
}

async function countAgain(
  transaction: Transaction<Database>,
  hold: EndedHold,
  after: Counted,
  stands: boolean,
): Promise<void> {
  if (hold.counted === null || after.counted === null) return;
  const { hold_id: holdId, sender, created_at: createdAt, key_number: keyNumber } = hold;
  const { paymaster_id: paymasterId } = hold;
  const usdMicros = BigInt(after.worth ?? 0) - BigInt(hold.worth ?? 0);
  await changeWorth(transaction, { paymasterId, createdAt, usdMicros });
  const location = { paymasterId, policyId: hold.policy_id };
  await changeUsage(
    transaction,
    { ...location, holdId, sender, keyNumber, createdAt, ...ownerOf(hold) },
    {
      operations: (stands ? 1 : 0) - (hold.state === 'released' ? 0 : 1),
      wei: fromWeiText(after.counted) - fromWeiText(hold.counted),
      usdMicros: BigInt(after.usd_micros ?? 0) - BigInt(hold.usd_micros ?? 0),
    },
  );
  // Without a worth it is in no sum of USD, and gets one when those are counted again. For others, the holds may not say any
  // more who they belonged to.
  if (after.usd_micros !== null) return;
  const { subject, ticket } = ownerOf(hold);
  await transaction
    .deleteFrom('limit_usage')
    .where('policy_key', 'in', [...new Set([policyKey(location), location.paymasterId])])
    .where('subject', 'in', ['', sender, keySubject(keyNumber), subject ?? '', ticket ?? ''])
    .where('counts_usd', '=', 1)
    .execute();
}
