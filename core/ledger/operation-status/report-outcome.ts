import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Hex } from 'viem';
import { groupBy } from '../../base/values/group-by.ts';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import { queueOperationStep, type SettledOperation } from '../../outbox/queue-operation-notification.ts';
import type { Database } from '../../store/database.ts';
import type { ReleaseCause } from '../../store/hold-fields.ts';
import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { updateRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { insertSignatures } from './record-signatures.ts';

/** An operation that has landed under a hold, and whether its user owes tokens for it. */
type Included = {
  readonly event: UserOperationLanded;
  readonly operation: SettledOperation;
  readonly owesTokens: boolean;
};

/**
 * Joins operations that have landed to their holds where they were signed under other hashes, and queues `operation.included`,
 * unless listeners have had it: an operation can land again after a reorg.
 */
export async function reportIncluded(transaction: Transaction<Database>, included: readonly Included[]): Promise<void> {
  if (included.length === 0) return;
  const holdIds = included.map(({ operation }) => operation.holdId);
  const names = included.flatMap(({ event }) => [event.userOperationHash, ...(event.contentIds ?? [])]);
  const [rows] = await runTogether(transaction, signaturesOf({ holdIds, names }));
  const signatures = new Map(rows.map((row) => [`${row.hold_id} ${row.user_operation_hash}`, row]));
  const fresh: Included[] = [];
  const joined: Joined[] = [];
  for (const one of included) {
    const { event, operation, owesTokens } = one;
    const { holdId, now } = operation;
    const { userOperationHash, contentIds = [] } = event;
    const row = signatures.get(`${holdId} ${userOperationHash}`);
    if (((row?.reported ?? 0) & includedReported) === 0) fresh.push(one);
    if (row !== undefined) continue;
    const named = contentIds.map((name) => signatures.get(`${holdId} ${name}`)).find((found) => found !== undefined);
    joined.push({ holdId, userOperationHash, now, owesTokens, decisionId: named?.decision_id ?? null });
  }
  await joinToHolds(transaction, joined);
  const noted = fresh.map(({ event: { userOperationHash }, operation: { holdId } }) => {
    const before = signatures.get(`${holdId} ${userOperationHash}`)?.reported ?? 0;
    return { hold_id: holdId, user_operation_hash: userOperationHash, reported: before | includedReported };
  });
  await runTogether(transaction, noteReported(noted));
  for (const { event, operation } of fresh) await queueIncluded(transaction, event, operation);
}

function queueIncluded(
  transaction: Transaction<Database>,
  { userOperationHash, blockNumber }: UserOperationLanded,
  { holdId, now, paymasterId, chainId, contract, sender, nonce, success, txHash, charge }: SettledOperation,
): Promise<void> {
  return queueOperationStep(transaction, {
    type: 'operation.included',
    paymasterId,
    chainId,
    contract,
    sender,
    nonce: nonce.toString(),
    userOperationHash,
    holdId,
    now,
    success,
    txHash,
    blockNumber: blockNumber.toString(),
    charge: charge.toString(),
  });
}

const signaturesOf = fixedStatement<{ readonly holdIds: readonly number[]; readonly names: readonly string[] }>()(
  ({ db, numbers, texts }) =>
    db
      .selectFrom('signatures')
      .select(['hold_id', 'user_operation_hash', 'decision_id', 'reported'])
      .where('hold_id', 'in', numbers('holdIds'))
      .where('user_operation_hash', 'in', texts('names')),
);

type Joined = {
  readonly holdId: number;
  readonly userOperationHash: string;
  readonly now: number;
  readonly decisionId: string | null;
  readonly owesTokens: boolean;
};

/** From now on the decisions that they were signed with have the hashes that landed, instead of the expected ones. */
async function joinToHolds(transaction: Transaction<Database>, joined: readonly Joined[]): Promise<void> {
  if (joined.length === 0) return;
  const [rows] = await runTogether(transaction, leastSimulated(joined.map(({ holdId }) => holdId)));
  const simulated = new Map(rows.map(({ hold_id, least }) => [hold_id, least]));
  await runTogether<readonly unknown[]>(
    transaction,
    ...joined.flatMap(({ holdId, decisionId }) => (decisionId === null ? [] : [leaveDecision({ holdId, decisionId })])),
    // Like everything that was signed under the hold: after a reorg it lands by this row.
    insertSignatures(
      joined.map(({ holdId, userOperationHash, now, decisionId, owesTokens }) => ({
        hold_id: holdId,
        user_operation_hash: userOperationHash,
        created_at: now,
        decision_id: decisionId,
        at_risk: owesTokens ? 1 : 0,
        simulated: simulated.get(holdId) === 1 ? 1 : 0,
        is_content_id: 0,
      })),
    ),
  );
}

/** For each hold whether every call that was signed under it went through in the simulation before: 1, otherwise 0. */
export const leastSimulated = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db
    .selectFrom('signatures')
    .select(({ fn }) => ['hold_id', fn.min<number>('simulated').as('least')])
    .where('hold_id', 'in', numbers())
    .groupBy('hold_id'),
);

const leaveDecision = fixedStatement<{ readonly holdId: number; readonly decisionId: string }>()(({ db, value }) =>
  db
    .updateTable('signatures')
    .set({ decision_id: null })
    .where('hold_id', '=', value('holdId'))
    .where('decision_id', '=', value('decisionId'))
    .where('is_content_id', '=', 0),
);

type EndedHold = Readonly<Record<'paymasterId' | 'sender' | 'nonce' | 'contract', string>> &
  Readonly<Record<'holdId' | 'chainId', number>>;

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
 * Queues `operation.dropped` for what a bundler had accepted under holds that have ended, except for the operations that
 * landed. For a signature that none of our bundlers had, it is not known whether anyone sent it, so there is no event for
 * it.
 */
export async function reportDropped(
  transaction: Transaction<Database>,
  holds: readonly { readonly before: EndedHold; readonly end: Ended }[],
  sent: readonly RowOf<typeof sentUnder>[],
): Promise<void> {
  const sentByHold = groupBy(sent, ({ hold_id }) => hold_id);
  const dropped = holds.flatMap(({ before, end }) =>
    (sentByHold.get(before.holdId) ?? [])
      .filter(
        ({ user_operation_hash: hash, reported }) => hash !== end.landedHash && (reported & droppedReported) === 0,
      )
      .map((row) => ({ before, end, row })),
  );
  const noted = dropped.map(({ row }) => ({ ...row, reported: row.reported | droppedReported }));
  await runTogether(transaction, noteReported(noted));
  for (const { before, end, row } of dropped) {
    await queueDropped(transaction, { before, end, userOperationHash: row.user_operation_hash });
  }
}

function queueDropped(
  transaction: Transaction<Database>,
  dropped: { readonly before: EndedHold; readonly end: Ended; readonly userOperationHash: string },
): Promise<void> {
  const { before, end, userOperationHash } = dropped;
  const { holdId, chainId, paymasterId, contract, sender, nonce } = before;
  return queueOperationStep(transaction, {
    type: 'operation.dropped',
    paymasterId,
    chainId,
    contract,
    sender,
    nonce,
    userOperationHash,
    holdId,
    now: end.now,
    because: end.state === 'released' ? end.because : 'replaced',
    ...omitAbsent({ replacedBy: end.landedHash }),
  });
}

/** Bits of `signatures.reported`: events that listeners have received about an operation. A reorg does not reset them. */
const includedReported = 1;
const droppedReported = 2;

/** Records which events listeners have received about operations. */
const noteReported = updateRows(
  'signatures',
  { reported: 'number' },
  { hold_id: 'number', user_operation_hash: 'text' },
);
