import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Hex } from 'viem';
import { queueOperationStep } from '../../outbox/queue-operation-notification.ts';
import type { Database } from '../../store/database.ts';
import type { ReleaseCause } from '../../store/ledger-tables.ts';
import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { addReported, droppedReported } from './reported.ts';

type EndedHold = Readonly<Record<'paymaster_id' | 'sender' | 'nonce' | 'contract', string>> &
  Readonly<Record<'hold_id' | 'chain_id', number>>;

type Ended = { readonly now: number; readonly landedHash?: Hex } & (
  | { readonly state: 'settled' }
  | { readonly state: 'released'; readonly because: ReleaseCause }
);

/** What a bundler had accepted under holds, and what listeners have had about it. */
export const sentUnder = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db
    .selectFrom('signatures')
    .select(['hold_id', 'user_operation_hash', 'reported'])
    .where('hold_id', 'in', numbers())
    .where('sent_at', 'is not', null),
);

/**
 * Queues `operation.dropped` for what a bundler had accepted under a hold that has ended, except for the operation that
 * landed. For a signature that none of our bundlers had, it is not known whether anyone sent it, so there is no event for
 * it.
 */
export async function reportDropped(
  transaction: Transaction<Database>,
  { hold_id: holdId, chain_id: chainId, paymaster_id: paymasterId, contract, sender, nonce }: EndedHold,
  end: Ended,
  sent: readonly RowOf<typeof sentUnder>[],
): Promise<void> {
  const { landedHash } = end;
  const because = end.state === 'released' ? end.because : 'replaced';
  for (const { hold_id, user_operation_hash: userOperationHash, reported } of sent) {
    const isKnown = userOperationHash === landedHash || (reported & droppedReported) !== 0;
    if (hold_id !== holdId || isKnown) continue;
    await addReported(transaction, { holdId, userOperationHash, reported: droppedReported });
    await queueOperationStep(transaction, {
      ...{ type: 'operation.dropped', paymasterId, chainId, contract, sender, nonce },
      ...{ userOperationHash, holdId, now: end.now, because },
      ...omitAbsent({ replacedBy: landedHash }),
    });
  }
}
