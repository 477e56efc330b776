import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { changedSums, noChange } from './change-sums.ts';

/**
 * What the operation of a hold cost its tank, in wei, and in millionths of a USD when a price was known; `usersPaid` is how
 * much of it a user paid for in a token, in wei.
 */
export type CostOfHold = {
  readonly holdId: number;
  readonly charge: bigint;
  readonly usersPaid: bigint;
  readonly usdMicros: number | null;
};

/** Adds what an operation cost to the sums of usage; takes it off where `times` is -1, as another decision is to have its cost. */
export async function changeCost(transaction: Transaction<Database>, cost: CostOfHold, times: 1 | -1): Promise<void> {
  const [[decision]] = await runTogether(transaction, lastSignedOf(cost));
  await runTogether(transaction, costWrite(decision, cost, times));
}

/**
 * The decision in whose sums the cost of a hold is: its last signature, since the one that landed is not known of every hold.
 * Nothing where that is no longer kept: an operation that landed, was rolled back and lands again counts as it did.
 */
export const lastSignedOf = fixedStatement<Pick<CostOfHold, 'holdId'>>()(({ db, value }) =>
  db
    .selectFrom('decisions')
    .select(['paymaster_id', 'created_at', 'method', 'sender', 'token', 'record'])
    .where('hold_id', '=', value('holdId'))
    .where('outcome', '=', sql.lit('signed' as const))
    .orderBy('decision_number', 'desc')
    .limit(1),
);

/** A statement that adds a cost to the sums of a decision, or takes it off. */
export function costWrite(
  decision: RowOf<typeof lastSignedOf> | undefined,
  { charge, usersPaid, usdMicros }: CostOfHold,
  times: 1 | -1,
): Statement<unknown> {
  const worth = usdMicros === null ? {} : { priced: times, usdMicros: times * usdMicros };
  const wei = { charge: BigInt(times) * charge, usersPaid: BigInt(times) * usersPaid };
  return changedSums(decision, { ...noChange, landed: times, ...wei, ...worth });
}
