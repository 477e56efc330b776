import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText } from '../../store/wei.ts';
import { accountsNumbered, type Quantity, toLedgerAccounts } from '../accounts/ledger-accounts.ts';
import { accountsIn, addLegChanges, readLegs } from '../accounts/legs.ts';
import { type CountedHold, legsOf } from './hold-legs.ts';
import { differences, type HoldMove, readSums, type StoredRow } from './sum-tables.ts';

/**
 * How all accounts and sums follow holds that change, whichever way: they settle, are released, or stand again. Reads them, and
 * returns the statements that write them.
 */
export async function followHolds(
  transaction: Transaction<Database>,
  moves: readonly HoldMove[],
): Promise<readonly Statement<unknown>[]> {
  const legs = moves.flatMap((move) => differences(move, legsOf));
  const sums = readSums(legs);
  const changes = new Map<number, Quantity>();
  for (const move of moves) addLegChanges(changes, move);
  const ids = [...accountsIn(moves.map(({ after }) => after))];
  const [accountRows, ...rows] = await runTogether<[RowOf<typeof accountsNumbered>, ...StoredRow[]]>(
    transaction,
    accountsNumbered(ids),
    ...sums.reads,
  );
  const accounts = toLedgerAccounts(accountRows);
  accounts.change(changes);
  const running = sums.run(rows);
  running.add(legs);
  return [...running.writes(), ...accounts.writes()];
}

const rowsOf = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select(['hold_id', 'holds.tank_id', 'holds.paymaster_id', 'policy_id', 'sender', 'nonce', 'slot', 'client'])
    .select(['state', 'upstream', 'amount', 'lasts_long', 'legs', 'at_risk', 'counted', 'counted_held', 'usd_micros'])
    .select(['usd_held', 'worth', 'worth_held', 'user_percent', 'charge', 'charge_usd', 'users_paid'])
    .select(['tanks.chain_id', 'tanks.contract'])
    .where('holds.hold_id', 'in', numbers())
    .orderBy('holds.hold_id'),
);

/** A hold with all that decides which sums count it. */
export type StoredHold = RowOf<typeof rowsOf>;

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

/** A hold as sums count it. */
export function countedRow(hold: StoredHold): CountedHold {
  // Without spreads, which take most of the time of ending a hold here.
  return {
    tankId: hold.tank_id,
    chainId: hold.chain_id,
    contract: hold.contract,
    paymasterId: hold.paymaster_id,
    sender: hold.sender,
    client: hold.client ?? undefined,
    isLive: hold.state === 'live',
    isGivenBack: isGivenBack(hold),
    lastsLong: hold.lasts_long === 1,
    amount: fromWeiText(hold.amount),
    atRisk: hold.at_risk === null ? undefined : fromWeiText(hold.at_risk),
    counted: hold.counted === null ? undefined : fromWeiText(hold.counted),
    usdMicros: hold.usd_micros === null ? undefined : BigInt(hold.usd_micros),
    worth: hold.worth === null ? undefined : BigInt(hold.worth),
    legs: readLegs(hold.legs),
  };
}

/**
 * Whether limits no longer count a hold: its operation cannot land any more, neither by our signature nor by that of another
 * paymaster.
 */
function isGivenBack({ state, upstream }: Pick<StoredHold, 'state' | 'upstream'>): boolean {
  return state === 'released' && upstream === 0;
}
