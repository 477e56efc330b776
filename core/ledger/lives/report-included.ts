import type { Transaction } from 'kysely';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import { queueOperationStep, type SettledOperation } from '../../outbox/queue-operation-notification.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { addReported, includedReported } from './reported.ts';

/**
 * Joins an operation that has landed to its hold where it was signed under another hash, and queues `operation.included`, unless
 * listeners have had it: an operation can land again after a reorg.
 */
export async function reportIncluded(
  transaction: Transaction<Database>,
  settled: SettledOperation & { readonly owesTokens: boolean },
  { userOperationHash, blockNumber, carriedNames = [] }: UserOperationLanded,
): Promise<void> {
  const { holdId, now, paymasterId, chainId, contract, sender, nonce, success, txHash, charge, owesTokens } = settled;
  const [[row]] = await runTogether(transaction, signatureOf({ holdId, names: [userOperationHash] }));
  if (row === undefined) {
    const [[named]] = await runTogether(transaction, signatureOf({ holdId, names: carriedNames }));
    const decisionId = named?.decision_id ?? null;
    await joinToHold(transaction, { holdId, userOperationHash, now, decisionId, owesTokens });
  }
  if (((row?.reported ?? 0) & includedReported) !== 0) return;
  await addReported(transaction, { holdId, userOperationHash, reported: includedReported });
  await queueOperationStep(transaction, {
    ...{ type: 'operation.included', paymasterId, chainId, contract, sender, nonce: nonce.toString() },
    ...{ userOperationHash, holdId, now, success, txHash },
    ...{ blockNumber: blockNumber.toString(), charge: charge.toString() },
  });
}

const signatureOf = fixedStatement<{ readonly holdId: number; readonly names: readonly string[] }>()(
  ({ db, value, texts }) =>
    db
      .selectFrom('signatures')
      .select(['decision_id', 'reported'])
      .where('hold_id', '=', value('holdId'))
      .where('user_operation_hash', 'in', texts('names')),
);

type Joined = {
  readonly holdId: number;
  readonly userOperationHash: string;
  readonly now: number;
  readonly decisionId: string | null;
  readonly owesTokens: boolean;
};

/** From now on the decision that it was signed with has the hash that landed, instead of the expected one. */
async function joinToHold(transaction: Transaction<Database>, joined: Joined): Promise<void> {
  const { holdId, userOperationHash, now, decisionId, owesTokens } = joined;
  if (decisionId !== null) {
    await transaction
      .updateTable('signatures')
      .set({ decision_id: null })
      .where('hold_id', '=', holdId)
      .where('decision_id', '=', decisionId)
      .where('is_name', '=', 0)
      .execute();
  }
  // Like everything that was signed under the hold: after a reorg it lands by this row.
  const { simulated } = await transaction
    .selectFrom('signatures')
    .select(({ fn }) => fn.min<number | null>('simulated').as('simulated'))
    .where('hold_id', '=', holdId)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('signatures')
    .values({
      ...{ hold_id: holdId, user_operation_hash: userOperationHash, created_at: now, decision_id: decisionId },
      ...{ at_risk: owesTokens ? 1 : 0, simulated: simulated ?? 0 },
    })
    .execute();
}
