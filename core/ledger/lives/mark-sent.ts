import { sql, type Transaction } from 'kysely';
import { queueOperationStep } from '../../outbox/queue-operation-step.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';

/** That a bundler accepted the operation with this hash. `at` in Unix seconds; `owner` is who takes turns with others. */
export type SentNote = {
  readonly hash: string;
  readonly chainId: number;
  readonly at: number;
  readonly owner: string;
};

/**
 * Writes when operations were sent, the first time only, and queues `operation.sent` for those that have not landed yet. What was
 * released stays as it ended. Returns the notes whose operation no signature has the hash of.
 */
export async function markSent(
  transaction: Transaction<Database>,
  notes: readonly SentNote[],
): Promise<readonly SentNote[]> {
  const hashes = [...new Set(notes.map(({ hash }) => hash))];
  const signed = await transaction
    .selectFrom('signatures')
    .innerJoin('holds', 'holds.hold_id', 'signatures.hold_id')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select(['signatures.hold_id', 'signatures.user_operation_hash', 'signatures.sent_at', 'holds.state'])
    .select(['holds.paymaster_id', 'holds.sender', 'holds.nonce', 'tanks.chain_id', 'tanks.contract'])
    .where('signatures.user_operation_hash', 'in', dialectOf(transaction).texts(hashes))
    // The number itself, or the index of hashes is not taken.
    .where('signatures.is_name', '=', sql.lit(0))
    .execute();
  for (const row of signed) {
    const note = notes.find(({ hash, chainId }) => hash === row.user_operation_hash && chainId === row.chain_id);
    if (note === undefined || row.sent_at !== null || row.state === 'released') continue;
    await transaction
      .updateTable('signatures')
      .set({ sent_at: note.at })
      .where('hold_id', '=', row.hold_id)
      .where('user_operation_hash', '=', row.user_operation_hash)
      .execute();
    if (row.state !== 'live') continue;
    await queueOperationStep(transaction, {
      ...{ type: 'operation.sent', paymasterId: row.paymaster_id, chainId: row.chain_id, contract: row.contract },
      ...{ sender: row.sender, nonce: row.nonce, userOperationHash: row.user_operation_hash },
      ...{ holdId: row.hold_id, now: note.at },
    });
  }
  const known = new Set(signed.map((row) => row.user_operation_hash));
  return notes.filter(({ hash }) => !known.has(hash));
}
