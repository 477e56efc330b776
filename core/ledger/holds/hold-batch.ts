import type { Transaction } from 'kysely';
import { omitAbsent } from '../../base/values/omit-absent.ts';
import { policyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import type { DecisionRow } from '../../store/decision-tables.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';
import { addWorth } from '../budgets/worth-sums.ts';
import { addToHours } from '../counts/counted-hours.ts';
import { writeHoldCalls } from '../counts/hold-calls.ts';
import { changeUnfinishedUsage } from '../counts/limit-usage.ts';
import { countDecisions } from '../usage/count-decisions.ts';
import type { WantedCount } from './count-in-steps.ts';
import { decideHold, type HoldDecision } from './decide-hold.ts';
import type { DraftHold } from './draft-hold.ts';
import { ownerOf } from './hold-owner.ts';
import type { HoldOutcome, HoldRequest } from './hold-request.ts';
import { type HoldWorkingSet, readHoldWorkingSet } from './hold-working-set.ts';
import { holdIdentity, policyOf, slotOf } from './ledger-identities.ts';
import { writeOpenHolds } from './open-holds.ts';
import { addRelayed } from './relayed-operations.ts';
import { writeUpstream } from './upstream-working-set.ts';

/**
 * Decides many holds in one transaction, in the order given: reads the tanks, limits and live holds concerned once,
 * decides each request on them, writes what changed once. A request that does not fit changes nothing. `onUncounted` learns which
 * counts of limits have only been begun.
 */
export async function holdBatch(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  now: number,
  onUncounted: (counts: readonly WantedCount[]) => void = () => {},
): Promise<readonly HoldOutcome[]> {
  const book = await readHoldWorkingSet(transaction, requests, now);
  const decided = requests.map((request) => decideHold(book, request));
  await writeHolds(transaction, book);
  await writeGrants(transaction, book);
  await writeUpstream(transaction, book.upstream);
  const recorded = recordsOf(decided);
  await writeCarriedNames(transaction, recorded, now);
  await writeRelayed(transaction, decided, now);
  await writeDecisions(transaction, recorded);
  onUncounted(book.uncounted);
  return decided.map(outcomeOf);
}

/** What would be decided, with nothing written. */
export async function tryHold(
  transaction: Transaction<Database>,
  request: HoldRequest,
  now: number,
): Promise<HoldOutcome> {
  const decision = decideHold(await readHoldWorkingSet(transaction, [request], now), request);
  if (decision.kind !== 'held') return outcomeOf(decision);
  request.decisionRow?.(decision.rulings);
  const { terms, upstream } = decision;
  return { kind: 'held', holdId: 0, ...omitAbsent({ terms, upstream: upstream?.reservation }) };
}

function outcomeOf(decision: HoldDecision): HoldOutcome {
  if (decision.kind !== 'held') return decision;
  return {
    kind: 'held',
    holdId: writtenId(decision.hold),
    ...omitAbsent({ terms: decision.terms, upstream: decision.upstream?.reservation }),
  };
}

function writtenId({ holdId }: DraftHold): number {
  if (holdId === undefined) throw new Error('A hold was decided and not written.');
  return holdId;
}

async function writeHolds(transaction: Transaction<Database>, book: HoldWorkingSet): Promise<void> {
  const drafts = [...book.holds.values()].filter((draft) => draft.changed);
  if (drafts.length === 0) return;
  const fresh = drafts.filter((draft) => draft.holdId === undefined);
  if (fresh.length > 0) {
    const inserted = await transaction
      .insertInto('holds')
      .values(fresh.map(holdRow))
      .returning(['hold_id', 'tank_id', 'paymaster_id', 'policy_id', 'slot'])
      .execute();
    for (const row of inserted) {
      const policy = { paymasterId: row.paymaster_id, policyId: row.policy_id };
      const draft = book.holds.get(holdIdentity(row.tank_id, policy, row.slot));
      if (draft !== undefined) draft.holdId = row.hold_id;
    }
  }
  const isFresh = new Set(fresh);
  for (const draft of drafts) {
    if (isFresh.has(draft)) continue;
    await transaction
      .updateTable('holds')
      .set({
        amount: toWeiText(draft.amount),
        valid_until: draft.validUntil,
        lasts_long: draft.lastsLong ? 1 : 0,
        client: draft.client ?? null,
        signers: signersText(draft),
        ...deploysColumn(draft),
        ...ownerColumns(draft),
        ...countedColumns(draft),
      })
      .where('hold_id', '=', writtenId(draft))
      .execute();
  }
  const withCalls = drafts.filter(({ hasMoreCalls }) => hasMoreCalls);
  await writeHoldCalls(
    transaction,
    withCalls.map((draft) => ({ ...policyOf(draft.request), ...draft, holdId: writtenId(draft) })),
  );
  await writeEntries(transaction, drafts, book.now);
  await writeTotals(transaction, book);
  await book.usage.write(transaction);
  await addToHours(transaction, drafts.map(toHours));
  await addWorth(
    transaction,
    drafts.flatMap((draft) => worthChangeOf(book, draft)),
  );
  await changeUnfinished(transaction, drafts);
  await writeOpenHolds(transaction, book.openHolds);
}

function holdRow(draft: DraftHold) {
  return {
    tank_id: draft.tankId,
    slot: slotOf(draft.request),
    sender: draft.request.sender,
    nonce: draft.request.nonce.toString(),
    amount: toWeiText(draft.amount),
    valid_until: draft.validUntil,
    lasts_long: draft.lastsLong ? 1 : 0,
    state: 'live' as const,
    paymaster_id: draft.request.paymasterId,
    policy_id: policyOf(draft.request).policyId,
    client: draft.client ?? null,
    created_at: draft.createdAt,
    key_number: draft.keyNumber,
    signers: signersText(draft),
    // Said of every row: they are written together, and a column that one row has is a column of all.
    deploys: draft.deploys ? 1 : 0,
    ...ownerColumns(draft),
    ...countedColumns(draft),
  };
}

function signersText({ signers }: DraftHold): string | null {
  return signers === undefined ? null : [...signers].join(',');
}

/** What joins a hold can make it one of a deployment, and never takes that away. */
function deploysColumn({ deploys }: DraftHold) {
  return deploys ? { deploys: 1 } : {};
}

function ownerColumns({ subject, ticket }: DraftHold) {
  return { subject: subject ?? null, ticket: ticket ?? null };
}

function countedColumns({ counted, userPercent, usdMicros, worth, atRisk }: DraftHold) {
  return {
    user_percent: userPercent ?? null,
    counted: counted === undefined ? null : toWeiText(counted),
    usd_micros: usdMicros === undefined ? null : Number(usdMicros),
    worth: worth === undefined ? null : Number(worth),
    at_risk: atRisk === undefined ? null : toWeiText(atRisk),
  };
}

async function writeEntries(
  transaction: Transaction<Database>,
  drafts: readonly DraftHold[],
  now: number,
): Promise<void> {
  const entries = drafts
    .filter((draft) => draft.added > 0n)
    .map((draft) => ({
      tank_id: draft.tankId,
      kind: 'hold' as const,
      amount: toWeiText(draft.added),
      hold_id: writtenId(draft),
      created_at: now,
    }));
  if (entries.length > 0) await transaction.insertInto('entries').values(entries).execute();
}

function toHours({ request, createdAt, change }: DraftHold) {
  return { hold: { ...policyOf(request), createdAt }, change };
}

function worthChangeOf({ budgets }: HoldWorkingSet, { request: { paymasterId }, createdAt, worthAdded }: DraftHold) {
  const accountId = budgets.accountOf(paymasterId);
  return accountId === undefined ? [] : [{ accountId, paymasterId, createdAt, usdMicros: worthAdded }];
}

/** Counts that are made in steps may have passed these holds already. */
async function changeUnfinished(transaction: Transaction<Database>, drafts: readonly DraftHold[]): Promise<void> {
  const unfinished = await transaction
    .selectFrom('limit_usage')
    .select('policy_key')
    .distinct()
    .where('counted_until', 'is not', null)
    .execute();
  const counting = new Set(unfinished.map(({ policy_key }) => policy_key));
  for (const draft of drafts) {
    const policy = policyOf(draft.request);
    // What is spent on a ticket is counted under the paymaster, whichever policy was chosen.
    const isCounting = counting.has(policyKey(policy)) || counting.has(policy.paymasterId);
    if (draft.counted === undefined || !isCounting) continue;
    const hasWorth = draft.usdMicros !== undefined;
    const isMore = draft.hasMoreCalls || draft.change.wei > 0n;
    const { createdAt, keyNumber } = draft;
    const hold = {
      ...{ ...policy, sender: draft.request.sender, keyNumber, createdAt, holdId: writtenId(draft), hasWorth },
      isMore,
      ...ownerOf(draft),
    };
    await changeUnfinishedUsage(transaction, hold, draft.change);
  }
}

async function writeTotals(transaction: Transaction<Database>, book: HoldWorkingSet): Promise<void> {
  for (const tank of book.tanks.values()) {
    await transaction
      .updateTable('tanks')
      .set({ held: toWeiText(tank.held) })
      .where('tank_id', '=', tank.tankId)
      .execute();
  }
  for (const total of book.contractTotals.values()) {
    await transaction
      .updateTable('contract_totals')
      .set({ held: toWeiText(total.held) })
      .where('chain_id', '=', total.chainId)
      .where('contract', '=', total.contract)
      .execute();
  }
}

async function writeGrants(transaction: Transaction<Database>, { grants }: HoldWorkingSet): Promise<void> {
  const rows = [...grants]
    .filter(([, grant]) => grant.fresh)
    .map(([request_key, { hold, validUntil, terms }]) => ({
      request_key,
      hold_id: writtenId(hold),
      valid_until: validUntil,
      terms,
    }));
  if (rows.length === 0) return;
  await transaction
    .insertInto('grants')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['hold_id', 'request_key']).doUpdateSet(({ ref }) => ({
        valid_until: ref('excluded.valid_until'),
        terms: ref('excluded.terms'),
      })),
    )
    .execute();
}

type Recorded = {
  readonly decision: Extract<HoldDecision, { readonly kind: 'held' }>;
  readonly row: DecisionRow | undefined;
};

/** Those that hold, with their records; each is made once, since the decision's trace gets its rulings with it. */
function recordsOf(decided: readonly HoldDecision[]): readonly Recorded[] {
  return decided.flatMap((decision) =>
    decision.kind === 'held' ? [{ decision, row: decision.request.decisionRow?.(decision.rulings) }] : [],
  );
}

/** What is signed is known before it is: an operation that lands after a crash finds its hold by it. */
async function writeCarriedNames(
  transaction: Transaction<Database>,
  recorded: readonly Recorded[],
  now: number,
): Promise<void> {
  const rows = recorded.flatMap(({ decision, row }) => {
    // Terms of an earlier answer were named with it.
    if (decision.terms !== undefined) return [];
    const { carriedName, relayed, unpaidBudget, simulated } = decision.request;
    const known = relayed?.userOperationHash ?? carriedName;
    if (known === undefined) return [];
    return [
      {
        user_operation_hash: known,
        hold_id: writtenId(decision.hold),
        created_at: now,
        at_risk: unpaidBudget === undefined ? 0 : 1,
        simulated: simulated === true ? 1 : 0,
        decision_id: row?.decision_id ?? null,
        // What is relayed is known by its own hash: nothing is signed that would be noted later.
        is_name: relayed === undefined ? 1 : 0,
      },
    ];
  });
  if (rows.length === 0) return;
  await transaction
    .insertInto('signatures')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['hold_id', 'user_operation_hash']).doNothing())
    .execute();
}

async function writeRelayed(
  transaction: Transaction<Database>,
  decided: readonly HoldDecision[],
  now: number,
): Promise<void> {
  for (const decision of decided) {
    if (decision.kind !== 'held' || decision.request.relayed === undefined) continue;
    const { tank, relayed } = decision.request;
    await addRelayed(transaction, { ...tank, ...relayed, holdId: writtenId(decision.hold), now });
  }
}

/** The decisions that hold are kept with their holds: no signature is without its record. */
async function writeDecisions(transaction: Transaction<Database>, recorded: readonly Recorded[]): Promise<void> {
  const rows = recorded.flatMap(({ decision, row }) =>
    row === undefined ? [] : [{ ...row, hold_id: writtenId(decision.hold) }],
  );
  if (rows.length === 0) return;
  await transaction.insertInto('decisions').values(rows).execute();
  await countDecisions(transaction, rows);
}
