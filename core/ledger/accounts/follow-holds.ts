import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import {
  columnNamesOf,
  holdColumnNames,
  readerOfFields,
  readStoredHold,
  type StoredHold,
} from '../../store/hold-fields.ts';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { accountsNumbered, type Quantity, toLedgerAccounts } from './ledger-accounts.ts';
import { accountsIn, addLegChanges, type HoldMove, type WithLegs } from './legs.ts';

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
  const accounts = toLedgerAccounts(rows, []);
  accounts.change(changes);
  return accounts.writes(now);
}

/** The fields of a hold that decide what its accounts count. */
const countedFields = [
  'state',
  'amount',
  'legs',
  'atRisk',
  'limitWei',
  'usdMicros',
  'budgetUsd',
  'keptWei',
  'keptUsd',
  'keptBudgetUsd',
  'unpaid',
  'unpaidUntil',
  'vendorUse',
  'vendorSigned',
] as const;

type CountedHold = Pick<StoredHold, (typeof countedFields)[number]>;

/** Their columns, to select. */
export const countedColumns = columnNamesOf(countedFields);

const readCounted = readerOfFields(countedFields);

/** A hold of {@link countedColumns} as its accounts count it. */
export function countedRow(row: Parameters<typeof readCounted>[0]): WithLegs {
  return countedHold(readCounted(row));
}

/** A hold as its accounts count it: what it was held with until it ends, and what is kept of that afterwards. */
export function countedHold(hold: CountedHold): WithLegs {
  const isLive = hold.state === 'live';
  return {
    isLive,
    isGivenBack: isGivenBack(hold),
    amount: hold.amount,
    atRisk: hold.atRisk,
    limitWei: isLive ? hold.limitWei : hold.keptWei,
    usdMicros: isLive ? hold.usdMicros : hold.keptUsd,
    budgetUsd: isLive ? hold.budgetUsd : hold.keptBudgetUsd,
    unpaid: hold.unpaidUntil === undefined ? undefined : hold.unpaid,
    vendorUse: hold.vendorUse,
    legs: hold.legs,
  };
}

/**
 * Whether limits no longer count a hold: its operation cannot land any more, neither by our signature nor by that of another
 * paymaster.
 */
function isGivenBack({ state, vendorSigned }: CountedHold): boolean {
  return state === 'released' && !vendorSigned;
}

const rowsOf = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select(['hold_id', 'tanks.chain_id', 'tanks.contract'])
    .select(holdColumnNames.map((column) => `holds.${column}` as const))
    .where('hold_id', 'in', numbers())
    .orderBy('hold_id'),
);

/** A hold as it is stored, and the contract of its tank. */
export type TankHold = StoredHold & { readonly chainId: number; readonly contract: string };

/** Reads holds as they are stored, and in the same round trip what else is asked. */
export async function readHolds<Rows extends readonly unknown[]>(
  db: Kysely<Database>,
  holdIds: readonly number[],
  ...others: { readonly [Index in keyof Rows]: Statement<Rows[Index]> }
): Promise<{
  readonly holds: readonly TankHold[];
  readonly others: { readonly [Index in keyof Rows]: readonly Rows[Index][] };
}> {
  const [rows, ...rest] = await runTogether(db, rowsOf(holdIds), ...others);
  const holds = rows.map((row) => {
    return Object.assign(readStoredHold(row), { chainId: row.chain_id, contract: row.contract });
  });
  // The rows behind the first are those of the other statements, in their order.
  return { holds, others: rest as { readonly [Index in keyof Rows]: readonly Rows[Index][] } };
}
