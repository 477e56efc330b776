import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { DecisionRow } from '../../store/decision-tables.ts';
import type { Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { insertSignatures, type SignatureRow } from '../operation-status/record-signatures.ts';
import { insertDecisions } from '../usage/insert-decisions.ts';
import { decideHold, type HoldDecision } from './decide-hold.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldOutcome, HoldRequest } from './hold-request.ts';
import { changeHolds, insertHolds, termsWrites } from './hold-rows.ts';
import { type HoldWorkingSet, readHoldWorkingSet } from './hold-working-set.ts';
import { relayedWrites } from './relayed-operations.ts';

/**
 * Decides many holds in one transaction, in the order given: reads the tanks, limits and live holds concerned once, decides
 * each request with them, and writes the changes once. A request that does not fit changes nothing. Returns the outcomes of the
 * first requests, at least of one: of fewer than all where they refer to too many accounts.
 */
export async function holdBatch(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  now: number,
): Promise<readonly HoldOutcome[]> {
  const workingSet = await readHoldWorkingSet(transaction, requests, now);
  const decided = workingSet.requests.map((request) => decideHold(workingSet, request));
  await writeBatch(transaction, workingSet, decided.filter(isHeld));
  return decided.map(outcomeOf);
}

/** What would be decided, with nothing written. */
export async function tryHold(
  transaction: Transaction<Database>,
  request: HoldRequest,
  now: number,
): Promise<HoldOutcome> {
  const decision = decideHold(await readHoldWorkingSet(transaction, [request], now), request);
  if (!isHeld(decision)) return outcomeOf(decision);
  request.decisionRow(decision.rulings);
  const { terms, vendor } = decision;
  return { kind: 'held', holdId: 0, ...omitAbsent({ terms, vendor }) };
}

type Held = Extract<HoldDecision, { readonly kind: 'held' }>;

function isHeld(decision: HoldDecision): decision is Held {
  return decision.kind === 'held';
}

function outcomeOf(decision: HoldDecision): HoldOutcome {
  if (!isHeld(decision)) return decision;
  return {
    kind: 'held',
    holdId: decision.hold.holdId,
    ...omitAbsent({ terms: decision.terms, vendor: decision.vendor }),
  };
}

/**
 * Everything in one round trip: holds with the sums that they are part of, then the rows that refer to holds. Decisions that hold
 * are written with their holds, so no signature is without its record.
 */
async function writeBatch(
  transaction: Transaction<Database>,
  workingSet: HoldWorkingSet,
  held: readonly Held[],
): Promise<void> {
  const drafts = [...workingSet.holds.values()].filter(({ changed }) => changed);
  // Each record is made once, since the decision's trace gets its rulings with it.
  const recorded = held.map((decision) => ({ decision, row: decision.request.decisionRow(decision.rulings) }));
  const rows = recorded.flatMap(({ decision, row }) => row && { ...row, hold_id: decision.hold.holdId });
  const decisions = rows.filter((row) => row !== undefined);
  await runTogether(
    transaction,
    ...(drafts.length === 0 ? [] : holdWrites(workingSet, drafts)),
    termsWrites(workingSet.knownTerms),
    insertSignatures(recorded.flatMap((one) => knownBefore(one, workingSet.now))),
    relayedWrites(held.flatMap(relayedBy), workingSet.now),
    insertDecisions(decisions),
  );
}

function holdWrites(
  { numbers, accounts, counters, now }: HoldWorkingSet,
  drafts: readonly DraftHold[],
): readonly Statement<unknown>[] {
  return [
    insertHolds(drafts.filter(({ isNew }) => isNew)),
    changeHolds(drafts.filter(({ isNew }) => !isNew)),
    numbers.writes(),
    ...accounts.writes(now),
    counters.writes(),
  ];
}

/**
 * What is signed or relayed is recorded before that, so that an operation that lands after a crash, or with another hash, finds
 * its hold by it.
 */
function knownBefore(
  { decision, row }: { readonly decision: Held; readonly row: DecisionRow | undefined },
  now: number,
): readonly SignatureRow[] {
  const { landing, unpaidBudget, simulated } = decision.request;
  // The terms of an earlier answer were recorded with it.
  if (decision.terms !== undefined || landing === undefined) return [];
  const { contentId, relayed } = landing;
  const common = {
    hold_id: decision.hold.holdId,
    created_at: now,
    at_risk: unpaidBudget === undefined ? 0 : 1,
    simulated: simulated ? 1 : 0,
    decision_id: row?.decision_id ?? null,
  } as const;
  // The hash of a relayed operation is known already: nothing is signed that would be recorded later.
  const byHash = relayed && { ...common, user_operation_hash: relayed.userOperationHash, is_content_id: 0 as const };
  const byContentId = contentId && { ...common, user_operation_hash: contentId, is_content_id: 1 as const };
  return [byHash, byContentId].filter((known) => known !== undefined);
}

function relayedBy({ request: { tank, landing }, hold }: Held) {
  const { chainId, contract } = tank;
  const relayed = landing?.relayed;
  return relayed === undefined ? [] : [{ chainId, contract, ...relayed, holdId: hold.holdId }];
}
