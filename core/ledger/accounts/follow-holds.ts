import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText } from '../../store/wei.ts';
import { accountsNumbered, type Quantity, toLedgerAccounts } from './ledger-accounts.ts';
import { accountsIn, addLegChanges, type HoldMove, readLegs, type WithLegs } from './legs.ts';
import { readVendorUse } from './vendor-use.ts';

/**
 * How all accounts follow holds that change, whichever way: they settle, are released, or stand again. Reads them, and returns
 * the statements that write them. `now` in Unix seconds.
 */
export async function followHolds(
  transaction: Transaction<Database>,
  moves: readonly HoldMove[],
  now: number,
): Promise<readonly Statement<unknown>[]> {
  const changes = new Map<number, Quantity>();
  for (const move of moves) addLegChanges(changes, move);
  const ids = [...accountsIn(moves.map(({ after }) => after))];
  const [rows] = await runTogether(transaction, accountsNumbered(ids));
  const accounts = toLedgerAccounts(rows);
  accounts.change(changes);
  return accounts.writes(now);
}

/** The columns of a hold that decide what its accounts count. */
export const countedColumns = [
  'state',
  'vendor',
  'amount',
  'legs',
  'at_risk',
  'limit_wei',
  'usd_micros',
  'budget_usd',
  'unpaid',
  'unpaid_until',
  'vendor_use',
] as const;

const rowsOf = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select([
      'hold_id',
      'holds.tank_id',
      'tanks.chain_id',
      'tanks.contract',
      'paymaster_id',
      'policy_id',
      'sender',
      'nonce',
      'operation_key',
    ])
    .select(countedColumns)
    .select(['limit_wei_held', 'usd_held', 'budget_usd_held', 'user_percent', 'charge', 'charge_usd', 'users_paid'])
    .select('released_because')
    .where('hold_id', 'in', numbers())
    .orderBy('hold_id'),
);

/** A hold with all that decides what its accounts count. */
export type StoredHold = RowOf<typeof rowsOf>;

type CountedRow = Pick<StoredHold, (typeof countedColumns)[number]>;

/** Reads holds as they are stored, and in the same round trip what else is asked. */
export async function readCountedHolds<Rows extends readonly unknown[]>(
  db: Kysely<Database>,
  holdIds: readonly number[],
  ...others: { readonly [Index in keyof Rows]: Statement<Rows[Index]> }
): Promise<{
  readonly holds: readonly StoredHold[];
  readonly others: { readonly [Index in keyof Rows]: readonly Rows[Index][] };
}> {
  const [holds, ...rest] = await runTogether(db, rowsOf(holdIds), ...others);
  // The rows behind the first are those of the other statements, in their order.
  return { holds, others: rest as { readonly [Index in keyof Rows]: readonly Rows[Index][] } };
}

/** A hold as its accounts count it. */
export function countedRow(hold: CountedRow): WithLegs {
  // Without spreads, which take most of the time of ending a hold here.
  return {
    isLive: hold.state === 'live',
    isGivenBack: isGivenBack(hold),
    amount: fromWeiText(hold.amount),
    atRisk: hold.at_risk === null ? undefined : fromWeiText(hold.at_risk),
    limitWei: hold.limit_wei === null ? undefined : fromWeiText(hold.limit_wei),
    usdMicros: hold.usd_micros === null ? undefined : BigInt(hold.usd_micros),
    budgetUsd: hold.budget_usd === null ? undefined : BigInt(hold.budget_usd),
    unpaid: hold.unpaid === null || hold.unpaid_until === null ? undefined : fromWeiText(hold.unpaid),
    vendorUse: hold.vendor_use === null ? undefined : readVendorUse(hold.vendor_use),
    legs: readLegs(hold.legs),
  };
}

/**
 * Whether limits no longer count a hold: its operation cannot land any more, neither by our signature nor by that of another
 * paymaster.
 */
function isGivenBack({ state, vendor }: Pick<StoredHold, 'state' | 'vendor'>): boolean {
  return state === 'released' && vendor === 0;
}
