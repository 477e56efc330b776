import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { takeOffCounts } from './kept-counts.ts';

/** A decision to prune, with the state of its hold. */
type Reached = {
  readonly decision_number: number;
  readonly paymaster_id: string;
  readonly state: Database['holds']['state'] | null;
};

/** Deletes the decisions whose hold is not live. Returns how many. */
export async function deleteDecisions(
  transaction: Transaction<Database>,
  reached: readonly Reached[],
): Promise<number> {
  const deleted = reached.filter(({ state }) => state !== 'live');
  if (deleted.length === 0) return 0;
  const numbers = deleted.map(({ decision_number }) => decision_number);
  await forgetOwners(transaction, numbers);
  await transaction
    .deleteFrom('decisions')
    .where('decision_number', 'in', dialectOf(transaction).numbers(numbers))
    .execute();
  await takeOffCounts(transaction, deleted);
  return deleted.length;
}

/** The requester is stored as long as the decision; counts are kept. */
async function forgetOwners(transaction: Transaction<Database>, numbers: readonly number[]): Promise<void> {
  await transaction
    .updateTable('holds')
    .set({ subject: null, ticket: null })
    .where('hold_id', 'in', ({ selectFrom }) =>
      selectFrom('decisions')
        .select(({ ref }) => ref('hold_id').$notNull().as('hold_id'))
        .where('decision_number', 'in', dialectOf(transaction).numbers(numbers))
        .where('hold_id', 'is not', null),
    )
    .where('subject', 'is not', null)
    .execute();
}
