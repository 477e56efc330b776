import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { changeSums, noChange } from './change-sums.ts';

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

/**
 * Adds what an operation cost to the usage sums of the last signature of its hold: which one landed is not known for every
 * hold. Does nothing when that decision is no longer stored. An operation that landed, was rolled back and lands again
 * counts as before.
 */
export function addCost(transaction: Transaction<Database>, cost: CostOfHold): Promise<void> {
  return changeCost(transaction, cost, 1);
}

/** Subtracts it again: the operation has left the chain, or another decision is to have its cost. */
export function takeCostOff(transaction: Transaction<Database>, cost: CostOfHold): Promise<void> {
  return changeCost(transaction, cost, -1);
}

const lastSignedOf = fixedStatement<Pick<CostOfHold, 'holdId'>>()(({ db, value }) =>
  db
    .selectFrom('decisions')
    .select(['paymaster_id', 'created_at', 'method', 'sender', 'token', 'record'])
    .where('hold_id', '=', value('holdId'))
    .where('outcome', '=', sql.lit('signed' as const))
    .orderBy('decision_number', 'desc')
    .limit(1),
);

async function changeCost(
  transaction: Transaction<Database>,
  { holdId, charge, usersPaid, usdMicros }: CostOfHold,
  times: 1 | -1,
): Promise<void> {
  const [[decision]] = await runTogether(transaction, lastSignedOf({ holdId }));
  if (decision === undefined) return;
  const worth = usdMicros === null ? {} : { priced: times, usdMicros: times * usdMicros };
  const wei = { charge: BigInt(times) * charge, usersPaid: BigInt(times) * usersPaid };
  await changeSums(transaction, decision, { ...noChange, landed: times, ...wei, ...worth });
}
