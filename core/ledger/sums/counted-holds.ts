import type { Kysely } from 'kysely';
import type { CalledCounts } from '../../policies/called-limits/count-calls.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { callsOfHolds, toHoldCalls } from '../counts/hold-calls.ts';
import { isGivenBack } from '../counts/limit-usage.ts';
import type { CountedHold } from './hold-legs.ts';

const rowsOf = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .leftJoin('paymasters', 'paymasters.paymaster_id', 'holds.paymaster_id')
    .select(['hold_id', 'holds.tank_id', 'holds.paymaster_id', 'policy_id', 'sender', 'nonce', 'slot', 'client'])
    .select(['key_number', 'holds.created_at', 'state', 'subject', 'ticket', 'upstream', 'amount', 'lasts_long'])
    .select(['at_risk', 'counted', 'counted_held', 'usd_micros', 'usd_held', 'worth', 'worth_held', 'user_percent'])
    .select(['charge', 'charge_usd', 'users_paid'])
    .select(['tanks.chain_id', 'tanks.contract', 'paymasters.account_id'])
    .where('holds.hold_id', 'in', numbers())
    .orderBy('holds.hold_id'),
);

/** A hold with all that decides which sums count it. */
export type StoredHold = RowOf<typeof rowsOf> & { readonly calls: CalledCounts };

/** Reads holds as they are stored, and in the same round trip what else is asked. */
export async function readCountedHolds<Rows extends readonly unknown[]>(
  db: Kysely<Database>,
  holdIds: readonly number[],
  ...others: { readonly [Index in keyof Rows]: Statement<Rows[Index]> }
): Promise<{
  readonly holds: readonly StoredHold[];
  readonly others: { readonly [Index in keyof Rows]: readonly Rows[Index][] };
}> {
  const [rows, calls, ...rest] = await runTogether(db, rowsOf(holdIds), callsOfHolds(holdIds), ...others);
  const callsOf = toHoldCalls(calls);
  const holds = rows.map((row) => ({ ...row, calls: callsOf.get(row.hold_id) ?? new Map() }));
  // The rows behind the first two are those of the other statements, in their order.
  return { holds, others: rest as { readonly [Index in keyof Rows]: readonly Rows[Index][] } };
}

/** A hold as sums count it. */
export function countedRow(hold: StoredHold): CountedHold {
  // Without spreads, which take most of the time of ending a hold here.
  return {
    holdId: hold.hold_id,
    tankId: hold.tank_id,
    chainId: hold.chain_id,
    contract: hold.contract,
    paymasterId: hold.paymaster_id,
    policyId: hold.policy_id,
    accountId: hold.account_id ?? undefined,
    sender: hold.sender,
    client: hold.client ?? undefined,
    keyNumber: hold.key_number,
    calls: hold.calls,
    subject: hold.subject ?? undefined,
    ticket: hold.ticket ?? undefined,
    createdAt: hold.created_at,
    isLive: hold.state === 'live',
    isGivenBack: isGivenBack(hold),
    lastsLong: hold.lasts_long === 1,
    amount: fromWeiText(hold.amount),
    atRisk: hold.at_risk === null ? undefined : fromWeiText(hold.at_risk),
    counted: hold.counted === null ? undefined : fromWeiText(hold.counted),
    usdMicros: hold.usd_micros === null ? undefined : BigInt(hold.usd_micros),
    worth: hold.worth === null ? undefined : BigInt(hold.worth),
  };
}
