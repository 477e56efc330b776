import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Logger } from '../base/logger.ts';
import type { DecisionOutcome } from '../domain/decision.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { type CostOfHold, changeCost, changedSums, noChange } from '../ledger/usage/count-cost.ts';
import { countDecisions, decisionCounts, insertDecisions } from '../ledger/usage/count-decisions.ts';
import type { Database } from '../store/database.ts';
import type { DecisionRow } from '../store/decision-tables.ts';
import { fixedStatement, type RowOf } from '../store/statements/fixed-statement.ts';
import { runTogether } from '../store/statements/run-together.ts';
import type { Store } from '../store/store.ts';
import { fromWeiText } from '../store/wei.ts';
import { createWriteBehind, type WriteBehind } from '../store/write-behind.ts';
import type { DecisionDraft } from './decision-draft.ts';
import { encodeDecisionRecord, factsOf } from './decision-record.ts';
import { storedRequest } from './request-record.ts';

/**
 * Stores decisions without a hold. A decision with a hold is written together with it, as signed; if signing then fails, it
 * is written again, as refused.
 */
export type DecisionRecorder = WriteBehind<DecisionRow>;

export function createDecisionRecorder(store: Store, logger: Logger): DecisionRecorder {
  return createWriteBehind<DecisionRow>({
    ...{ store, logger, what: 'Decisions', insert: writeDecisions },
    ownerOf: ({ paymaster_id }) => paymaster_id ?? '',
  });
}

async function writeDecisions(transaction: Transaction<Database>, rows: readonly DecisionRow[]): Promise<void> {
  const [written] = await runTogether(transaction, writtenOf(rows.map(({ decision_id }) => decision_id)));
  const known = new Map(written.map((row) => [row.decision_id, row]));
  const fresh = rows.filter(({ decision_id }) => !known.has(decision_id));
  await runTogether(transaction, insertDecisions(fresh), decisionCounts(fresh));
  for (const row of rows) {
    const written = known.get(row.decision_id);
    if (written?.outcome === 'signed') await writeAgain(transaction, written, row);
  }
}

/** The ids among these that are already written. */
const writtenOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db
    .selectFrom('decisions')
    .leftJoin('holds', 'holds.hold_id', 'decisions.hold_id')
    .select(['decision_id', 'decisions.paymaster_id', 'method', 'outcome', 'decisions.sender', 'token', 'record'])
    .select([
      'decisions.created_at',
      'decisions.hold_id',
      'holds.state',
      'holds.charge',
      'holds.charge_usd',
      'users_paid',
    ])
    .where('decision_id', 'in', texts()),
);

type WrittenDecision = RowOf<typeof writtenOf>;

/** Signing failed: moves the counts, and the hold's cost so far to the previous signature. */
async function writeAgain(
  transaction: Transaction<Database>,
  written: WrittenDecision,
  { outcome, reason = null, record, reasons = null }: DecisionRow,
): Promise<void> {
  const cost = costOf(written);
  if (cost !== undefined) await changeCost(transaction, cost, -1);
  await runTogether(transaction, changedSums(written, { ...noChange, signed: -1 }));
  await transaction
    .updateTable('decisions')
    .set({ outcome, reason, record, reasons })
    .where('decision_id', '=', written.decision_id)
    .execute();
  await countDecisions(transaction, [{ ...written, outcome, record }]);
  if (cost !== undefined) await changeCost(transaction, cost, 1);
}

function costOf({ hold_id, state, charge, charge_usd, users_paid }: WrittenDecision): CostOfHold | undefined {
  if (hold_id === null || state !== 'settled' || charge === null) return undefined;
  const usersPaid = users_paid === null ? 0n : fromWeiText(users_paid);
  return { holdId: hold_id, charge: fromWeiText(charge), usersPaid, usdMicros: charge_usd };
}

/** A decision in stored form; undefined if the request named no paymaster of ours. */
export function decisionRow(
  draft: DecisionDraft,
  outcome: DecisionOutcome,
  refusal: Refusal | undefined,
): DecisionRow | undefined {
  if (draft.paymasterId === undefined) return undefined;
  const facts = factsOf(draft);
  const { contents = [] } = draft;
  return {
    decision_id: draft.decisionId,
    paymaster_id: draft.paymasterId,
    policy_id: draft.policyId ?? '',
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
        ...omitAbsent({ message: refusal?.message, facts }),
        ...(contents.length === 0 ? {} : { contents }),
        trace: draft.trace,
      },
      storedRequest(draft.method, draft.request),
    ),
    created_at: draft.decidedAt,
    called: facts ?? { calls: [] },
  };
}
