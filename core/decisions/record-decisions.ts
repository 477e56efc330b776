import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { DecisionOutcome } from '../domain/decision.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { changedSums, noChange } from '../ledger/usage/count-cost.ts';
import { insertDecisions } from '../ledger/usage/insert-decisions.ts';
import type { Database } from '../store/database.ts';
import type { DecisionRow } from '../store/decision-tables.ts';
import { fixedStatement, type RowOf } from '../store/statements/fixed-statement.ts';
import { runTogether } from '../store/statements/run-together.ts';
import type { Store } from '../store/store.ts';
import { createWriteBehind, type WriteBehind } from '../store/write-behind.ts';
import type { DecisionDraft } from './decision-draft.ts';
import { encodeDecisionRecord, factsOf, type RecordColumns, recordBytes } from './decision-record.ts';
import { createRecordRoom } from './record-room.ts';
import { storedRequest } from './request-record.ts';

/**
 * Stores decisions without a hold. A decision with a hold is written together with it, as signed; if signing then fails, it
 * is written again, as refused.
 */
export type DecisionRecorder = WriteBehind<DecisionRow> & {
  /** Records an answer that signed nothing, in the room that its paymaster has left. */
  record(draft: DecisionDraft, outcome: Exclude<DecisionOutcome, 'signed'>, refusal: Refusal | undefined): void;
};

/** About what a row takes without its record and reasons, indexes included. */
const rowBytes = 600;

export function createDecisionRecorder(store: Store, logger: Logger, clock: Clock): DecisionRecorder {
  const room = createRecordRoom(clock);
  const rows = createWriteBehind<DecisionRow>({
    store,
    logger,
    what: 'Decisions',
    insert: writeDecisions,
    ownerOf: ({ paymaster_id }) => paymaster_id ?? '',
    bytesOf: ({ record, reasons }) => rowBytes + record.length + (reasons?.length ?? 0),
  });
  return {
    ...rows,
    record(draft, outcome, refusal) {
      if (draft.paymasterId === undefined) return;
      const row = decisionRow(draft, outcome, refusal, room.left(draft.paymasterId));
      if (row === undefined) return;
      room.take(draft.paymasterId, recordBytes(row));
      rows.add(row);
    },
  };
}

async function writeDecisions(transaction: Transaction<Database>, rows: readonly DecisionRow[]): Promise<void> {
  const [written] = await runTogether(transaction, writtenOf(rows.map(({ decision_id }) => decision_id)));
  const known = new Map(written.map((row) => [row.decision_id, row]));
  const fresh = rows.filter(({ decision_id }) => !known.has(decision_id));
  await runTogether(transaction, insertDecisions(fresh));
  for (const row of rows) {
    const written = known.get(row.decision_id);
    if (written?.outcome === 'signed') await writeAgain(transaction, written, row);
  }
}

/** The decisions among these that are already written, and whether the sums of usage have them. */
const writtenOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db
    .selectFrom('decisions')
    .leftJoin('counted_decisions', (join) =>
      join.onRef('counted_decisions.until_number', '>=', 'decisions.decision_number'),
    )
    .select(['decision_id', 'decisions.paymaster_id', 'method', 'outcome', 'decisions.sender', 'token', 'record'])
    .select(['decisions.created_at', 'decisions.key_number', 'counted_decisions.counted'])
    .where('decision_id', 'in', texts()),
);

type WrittenDecision = RowOf<typeof writtenOf>;

/** Signing failed: what is counted moves. */
async function writeAgain(
  transaction: Transaction<Database>,
  written: WrittenDecision,
  { outcome, reason = null, record, reasons }: DecisionRow,
): Promise<void> {
  if (written.counted !== null) {
    await runTogether(transaction, changedSums(written, { ...noChange, signed: -1, [outcome]: 1 }));
  }
  await transaction
    .updateTable('decisions')
    .set({ outcome, reason, record, reasons })
    .where('decision_id', '=', written.decision_id)
    .execute();
}

/** A decision in stored form, its record in at most `room` bytes; undefined if the request named no paymaster of ours. */
export function decisionRow(
  draft: DecisionDraft,
  outcome: DecisionOutcome,
  refusal: Refusal | undefined,
  room?: number,
): (DecisionRow & RecordColumns) | undefined {
  if (draft.paymasterId === undefined) return undefined;
  const facts = factsOf(draft);
  const { contents = [] } = draft;
  return {
    decision_id: draft.decisionId,
    paymaster_id: draft.paymasterId,
    policy_id: draft.policyId ?? '',
    key_number: draft.keyNumber ?? 0,
    chain_id: draft.chainId,
    method: draft.method,
    outcome,
    mode: draft.mode ?? null,
    reason: refusal?.reason ?? null,
    sender: draft.operation?.sender ?? null,
    nonce: draft.operation?.nonce.toString() ?? null,
    token: draft.token ?? null,
    hold_id: null,
    ...encodeDecisionRecord(
      {
        ...omitAbsent({ message: refusal?.message, facts, listed: draft.listed }),
        ...(contents.length === 0 ? {} : { contents }),
        trace: draft.trace,
      },
      storedRequest(draft.method, draft.request),
      room,
    ),
    created_at: draft.decidedAt,
  };
}
