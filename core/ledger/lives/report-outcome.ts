import { omitAbsent } from '@tollfree/contract/omit-absent';
import { sql, type Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import { queueOperationStep, type SettledOperation } from '../../outbox/queue-operation-notification.ts';
import type { Database } from '../../store/database.ts';
import type { ReleaseCause } from '../../store/ledger-tables.ts';
import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';

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

/** Bits of `signatures.reported`: events that listeners have received about an operation. A reorg does not reset them. */
const includedReported = 1;
const droppedReported = 2;

type Reported = { readonly holdId: number; readonly userOperationHash: string; readonly reported: 1 | 2 };

/** Records that listeners have received an event about an operation. */
async function addReported(transaction: Transaction<Database>, row: Reported): Promise<void> {
  await runTogether(transaction, noteReported(row));
}

const noteReported = fixedStatement<Reported>()(({ db, value }) =>
  db
    .updateTable('signatures')
    .set({ reported: sql`reported | ${value('reported')}` })
    .where('hold_id', '=', value('holdId'))
    .where('user_operation_hash', '=', value('userOperationHash')),
);
