import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Hex } from 'viem';
import { queueOperationStep } from '../../outbox/queue-operation-notification.ts';
import type { Database } from '../../store/database.ts';
import type { ReleaseCause } from '../../store/ledger-tables.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { addReported, droppedReported } from './reported.ts';

type EndedHold = { readonly holdId: number; readonly chainId: number; readonly contract: string };

type Ended = { readonly now: number; readonly landedHash?: Hex } & (
  | { readonly state: 'settled' }
  | { readonly state: 'released'; readonly because: ReleaseCause }
);

const sentUnder = fixedStatement<Pick<EndedHold, 'holdId'>>()(({ db, value }) =>
  db
    .selectFrom('signatures')
    .select(['user_operation_hash', 'reported'])
    .where('hold_id', '=', value('holdId'))
    .where('sent_at', 'is not', null),
);

/**
 * Queues `operation.dropped` for what a bundler had accepted under a hold that has ended, except for the operation that
 * landed. For a signature that none of our bundlers had, it is not known whether anyone sent it, so there is no event for
 * it.
 */
export async function reportDropped(
  transaction: Transaction<Database>,
  { holdId, chainId, contract }: EndedHold,
  end: Ended,
): Promise<void> {
  const [sent] = await runTogether(transaction, sentUnder({ holdId }));
  const { landedHash } = end;
  const dropped = sent.filter(
    (row) => row.user_operation_hash !== landedHash && (row.reported & droppedReported) === 0,
  );
  if (dropped.length === 0) return;
  const { paymaster_id, sender, nonce } = await transaction
    .selectFrom('holds')
    .select(['paymaster_id', 'sender', 'nonce'])
    .where('hold_id', '=', holdId)
    .executeTakeFirstOrThrow();
  const because = end.state === 'released' ? end.because : 'replaced';
  for (const { user_operation_hash: userOperationHash } of dropped) {
    await addReported(transaction, { holdId, userOperationHash, reported: droppedReported });
    await queueOperationStep(transaction, {
      ...{ type: 'operation.dropped', paymasterId: paymaster_id, chainId, contract, sender, nonce },
      ...{ userOperationHash, holdId, now: end.now, because },
      ...omitAbsent({ replacedBy: landedHash }),
    });
  }
}
