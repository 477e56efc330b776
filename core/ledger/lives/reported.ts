import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';

/** Bits of `signatures.reported`: events that listeners have received about an operation. A reorg does not reset them. */
export const includedReported = 1;
export const droppedReported = 2;

type Reported = { readonly holdId: number; readonly userOperationHash: string; readonly reported: 1 | 2 };

/** Records that listeners have received an event about an operation. */
export async function addReported(transaction: Transaction<Database>, row: Reported): Promise<void> {
  await runTogether(transaction, noteReported(row));
}

const noteReported = fixedStatement<Reported>()(({ db, value }) =>
  db
    .updateTable('signatures')
    .set({ reported: sql`reported | ${value('reported')}` })
    .where('hold_id', '=', value('holdId'))
    .where('user_operation_hash', '=', value('userOperationHash')),
);
