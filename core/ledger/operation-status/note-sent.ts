import { sql, type Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { Logger } from '../../base/logger.ts';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { queueOperationStep } from '../../outbox/queue-operation-notification.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';
import { createWriteBehind } from '../../store/write-behind.ts';

/** An operation that a bundler accepted, by its hash. `paymasterId`: through whose URL, where that is known. */
export type SentOperation = {
  readonly chainId: number;
  readonly entryPoint: string;
  readonly userOpHash: Hex;
  readonly paymasterId?: string;
};

/** Records that a bundler accepted an operation. Returns at once; the same operation again changes nothing. */
export type NoteSent = (sent: SentOperation) => void;

/** `owner` takes turns with others. */
type OwnedNote = SentNote & { readonly owner: string };

/** How long a note waits for the signature's own record, which another process may still have to write, in seconds. */
const maxWait = 10;
/**
 * Milliseconds between two attempts, and how many notes may wait for one. More are dropped: the status then goes from signed
 * to landed.
 */
const betweenAttempts = 1_000;
const maxWaiting = 1_000;

export type SentRecorder = { readonly noteSent: NoteSent; flush(): Promise<void>; close(): Promise<void> };

/** Records in the background when operations were sent. Operations that this service did not sign are not recorded. */
export function createSentRecorder(store: Store, clock: Clock, logger: Logger): SentRecorder {
  let waiting: OwnedNote[] = [];
  let timer: NodeJS.Timeout | undefined;
  const notes = createWriteBehind<OwnedNote>({
    store,
    logger,
    what: 'Notes of sent operations',
    ownerOf: ({ owner }) => owner,
    bytesOf: () => 200,
    insert: async (transaction, rows) => {
      const unknown = await markSent(transaction, rows);
      const since = unixSeconds(clock) - maxWait;
      waitFor(unknown.filter(({ at }) => at > since));
    },
  });

  /** Some come twice when a transaction is rolled back, which changes nothing. */
  function waitFor(unknown: readonly OwnedNote[]): void {
    waiting = [...new Set([...waiting, ...unknown])].slice(-maxWaiting);
    if (waiting.length > 0) timer ??= setTimeout(tryAgain, betweenAttempts).unref();
  }

  function tryAgain(): void {
    timer = undefined;
    const again = waiting;
    waiting = [];
    for (const note of again) notes.add(note);
  }

  return {
    noteSent: ({ chainId, entryPoint, userOpHash, paymasterId }) =>
      notes.add({
        hash: userOpHash.toLowerCase(),
        chainId,
        at: unixSeconds(clock),
        owner: paymasterId ?? `${chainId}:${entryPoint}`,
      }),
    flush: notes.flush,
    close: async () => {
      clearTimeout(timer);
      await notes.close();
      clearTimeout(timer);
    },
  };
}

/** A bundler accepted the operation with this hash. `at` in Unix seconds. */
type SentNote = { readonly hash: string; readonly chainId: number; readonly at: number };

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
    .where('signatures.is_content_id', '=', sql.lit(0))
    .execute();
  const marked = signed.flatMap((row) => {
    const note = notes.find(({ hash, chainId }) => hash === row.user_operation_hash && chainId === row.chain_id);
    return note === undefined || row.sent_at !== null || row.state === 'released' ? [] : [{ ...row, at: note.at }];
  });
  await writeSentAt(transaction, marked);
  for (const { state, at, ...row } of marked) {
    if (state !== 'live') continue;
    await queueOperationStep(transaction, {
      type: 'operation.sent',
      paymasterId: row.paymaster_id,
      chainId: row.chain_id,
      contract: row.contract,
      sender: row.sender,
      nonce: row.nonce,
      userOperationHash: row.user_operation_hash,
      holdId: row.hold_id,
      now: at,
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
