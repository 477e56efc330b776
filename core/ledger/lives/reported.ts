import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';

/** Bits of `signatures.reported`: events that listeners have had about an operation. A reorg takes none of them back. */
export const includedReported = 1;
export const droppedReported = 2;

/** Notes that listeners have had an event about an operation. */
export async function addReported(
  transaction: Transaction<Database>,
  row: { readonly holdId: number; readonly userOperationHash: string; readonly reported: 1 | 2 },
): Promise<void> {
  await transaction
    .updateTable('signatures')
    .set({ reported: sql`reported | ${sql.lit(row.reported)}` })
    .where('hold_id', '=', row.holdId)
    .where('user_operation_hash', '=', row.userOperationHash)
    .execute();
}
