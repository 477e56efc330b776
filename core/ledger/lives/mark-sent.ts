import { sql, type Transaction } from 'kysely';
import { queueOperationStep } from '../../outbox/queue-operation-notification.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';

/** A bundler accepted the operation with this hash. `at` in Unix seconds. */
export type SentNote = { readonly hash: string; readonly chainId: number; readonly at: number };

/**
 * Writes when operations were sent, only the first time, and queues `operation.sent` for those that have not landed yet.
 * Released operations keep their state. Returns the notes for operations whose hash no signature has.
 */
export async function markSent<Note extends SentNote>(
  transaction: Transaction<Database>,
  notes: readonly Note[],
): Promise<readonly Note[]> {
  const hashes = [...new Set(notes.map(({ hash }) => hash))];
  const signed = await transaction
    .selectFrom('signatures')
    .innerJoin('holds', 'holds.hold_id', 'signatures.hold_id')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select(['signatures.hold_id', 'signatures.user_operation_hash', 'signatures.sent_at', 'holds.state'])
    .select(['holds.paymaster_id', 'holds.sender', 'holds.nonce', 'tanks.chain_id', 'tanks.contract'])
    .where('signatures.user_operation_hash', 'in', dialectOf(transaction).texts(hashes))
    // A literal, or the index of hashes is not used.
    .where('signatures.is_name', '=', sql.lit(0))
    .execute();
  const marked = signed.flatMap((row) => {
    const note = notes.find(({ hash, chainId }) => hash === row.user_operation_hash && chainId === row.chain_id);
    return note === undefined || row.sent_at !== null || row.state === 'released' ? [] : [{ ...row, at: note.at }];
  });
  await writeSentAt(transaction, marked);
  for (const { state, at, ...row } of marked) {
    if (state !== 'live') continue;
    await queueOperationStep(transaction, {
      ...{ type: 'operation.sent', paymasterId: row.paymaster_id, chainId: row.chain_id, contract: row.contract },
      ...{ sender: row.sender, nonce: row.nonce, userOperationHash: row.user_operation_hash },
      ...{ holdId: row.hold_id, now: at },
    });
  }
  const known = new Set(signed.map((row) => row.user_operation_hash));
  return notes.filter(({ hash }) => !known.has(hash));
}

async function writeSentAt(
  transaction: Transaction<Database>,
  marked: readonly { readonly hold_id: number; readonly user_operation_hash: string; readonly at: number }[],
): Promise<void> {
  if (marked.length === 0) return;
  const columns = { hold_id: 'number', hash: 'text', at: 'number' } as const;
  const rows = marked.map((row) => [row.hold_id, row.user_operation_hash, row.at]);
  await sql`
    UPDATE signatures SET sent_at = noted.at
    FROM ${dialectOf(transaction).rows(columns, rows)} AS noted
    WHERE signatures.hold_id = noted.hold_id AND signatures.user_operation_hash = noted.hash
  `.execute(transaction);
}
