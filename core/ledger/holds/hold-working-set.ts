import type { Transaction } from 'kysely';
import { isSponsored } from '../../domain/user-share.ts';
import type { LimitsByPolicy } from '../../policies/read-limits.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { fromWeiText } from '../../store/wei/wei-text.ts';
import { type BudgetWorkingSet, readBudgetWorkingSet } from '../budgets/budget-working-set.ts';
import { readForgottenTickets } from '../counts/forgotten-tickets.ts';
import { readHoldCalls } from '../counts/hold-calls.ts';
import type { WantedCount } from './count-in-steps.ts';
import { type DraftHold, identityOf } from './draft-hold.ts';
import { hasOpenDeployment } from './has-open-deployment.ts';
import type { HoldRequest } from './hold-request.ts';
import { contractIdentity, holdIdentity, slotOf, tankIdentity } from './ledger-identities.ts';
import { countedFor, lastingLongAt, type OpenHoldCounts, readOpenHolds } from './open-holds.ts';
import { type PendingWays, readPendingWays } from './other-way.ts';
import { readUnpaidRisks, type UnpaidRisks } from './unpaid-risk.ts';
import { readUpstreamWorkingSet, type UpstreamWorkingSet } from './upstream-working-set.ts';
import { readUsageWorkingSet, subjectOf, type UsageWorkingSet } from './usage-working-set.ts';

/** What was granted for a request: the hold, until when (Unix seconds), and the terms as text. */
export type KnownGrant = {
  readonly hold: DraftHold;
  readonly validUntil: number;
  readonly terms: string;
  readonly fresh: boolean;
};

/** What a batch of holds is decided on, read in its own transaction. Amounts in wei. */
export type HoldWorkingSet = {
  readonly tanks: Map<string, { tankId: number; funded: bigint; settled: bigint; held: bigint }>;
  readonly contractTotals: Map<string, { chainId: number; contract: string; held: bigint }>;
  readonly holds: Map<string, DraftHold>;
  /** By request key. */
  readonly grants: Map<string, KnownGrant>;
  readonly limits: LimitsByPolicy;
  readonly usage: UsageWorkingSet;
  readonly budgets: BudgetWorkingSet;
  /** Counts that were only begun: requests under their limits are refused. */
  readonly uncounted: readonly WantedCount[];
  /** What the senders and clients have open. */
  readonly openHolds: OpenHoldCounts;
  readonly risks: UnpaidRisks;
  /** What may still land the other way, relayed or by a paymaster contract. */
  readonly pendingWays: PendingWays;
  /** What a second paymaster has been asked for. */
  readonly upstream: UpstreamWorkingSet;
  /** Requests that pay for an authorization of a sender that another open operation gives its code, no matter who asked for that. */
  readonly authorizedBefore: ReadonlySet<HoldRequest>;
  /** How often paymasters have been changed, of those whose requests say how often they had been. */
  readonly changes: ReadonlyMap<string, number>;
  /** Of paymasters whose tickets' counts have been pruned: the latest end of these tickets, in Unix seconds. */
  readonly forgottenTickets: ReadonlyMap<string, number>;
  /** Unix seconds. */
  readonly now: number;
};

export async function readHoldWorkingSet(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  now: number,
): Promise<HoldWorkingSet> {
  const tanks: HoldWorkingSet['tanks'] = new Map();
  const contractTotals: HoldWorkingSet['contractTotals'] = new Map();
  for (const request of requests) {
    await readTank(transaction, tanks, request);
    await readContractTotal(transaction, contractTotals, request);
  }
  const holds = await readLiveHolds(transaction, tanks, requests);
  const grants = await readGrants(transaction, holds, requests);
  const { limits, usage, uncounted } = await readUsageWorkingSet(transaction, { requests, holds, tanks, now });
  const sponsored = requests.filter(isSponsored);
  const budgets = await readBudgetWorkingSet(
    transaction,
    sponsored.map((request) => subjectOf({ tanks, holds, now }, request)),
  );
  const openHolds = await readOpenHolds(transaction, sendersAndClients({ requests, holds, tanks }));
  const risks = await readUnpaidRisks(transaction, requests, now);
  const upstream = await readUpstreamWorkingSet(transaction, requests, { holds, now });
  const pendingWays = await readPendingWays(transaction, requests, now);
  const authorizedBefore = await readAuthorizedBefore(transaction, requests, now);
  const changes = await readChanges(transaction, requests);
  const ticketed = requests.flatMap(({ ticket, paymasterId }) => (ticket === undefined ? [] : [paymasterId]));
  const forgottenTickets = await readForgottenTickets(transaction, new Set(ticketed));
  return {
    tanks,
    contractTotals,
    holds,
    grants,
    limits,
    usage,
    budgets,
    uncounted,
    openHolds,
    risks,
    pendingWays,
    upstream,
    authorizedBefore,
    changes,
    forgottenTickets,
    now,
  };
}

async function readAuthorizedBefore(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  now: number,
): Promise<ReadonlySet<HoldRequest>> {
  const found = new Set<HoldRequest>();
  for (const request of requests) {
    if (request.paysAuthorization !== true) continue;
    const { tank, sender, nonce: besides } = request;
    const isOpen = await hasOpenDeployment({ db: transaction }, { chainId: tank.chainId, sender, now, besides });
    if (isOpen) found.add(request);
  }
  return found;
}

async function readChanges(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
): Promise<HoldWorkingSet['changes']> {
  const compared = requests.filter(({ paymasterChanges }) => paymasterChanges !== undefined);
  if (compared.length === 0) return new Map();
  const rows = await transaction
    .selectFrom('paymasters')
    .select(['paymaster_id', 'changes'])
    .where(
      'paymaster_id',
      'in',
      dialectOf(transaction).texts([...new Set(compared.map(({ paymasterId }) => paymasterId))]),
    )
    .execute();
  return new Map(rows.map(({ paymaster_id, changes }) => [paymaster_id, changes]));
}

/** A hold that is joined counts for the client that asked for the most of it so far. Those that last long count together. */
function* sendersAndClients({
  requests,
  holds,
  tanks,
}: Pick<HoldWorkingSet, 'holds' | 'tanks'> & { readonly requests: readonly HoldRequest[] }): Iterable<string> {
  for (const { tankId } of tanks.values()) yield lastingLongAt(tankId);
  for (const request of requests) yield* countedFor(request);
  for (const { request, client } of holds.values()) yield* countedFor({ sender: request.sender, client });
}

async function readTank(
  transaction: Transaction<Database>,
  tanks: HoldWorkingSet['tanks'],
  request: HoldRequest,
): Promise<void> {
  const identity = tankIdentity(request.tank);
  if (tanks.has(identity)) return;
  const row = await transaction
    .selectFrom('tanks')
    .select(['tank_id', 'funded', 'settled', 'held'])
    .where('chain_id', '=', request.tank.chainId)
    .where('contract', '=', request.tank.contract)
    .where('wallet', '=', request.tank.wallet)
    .executeTakeFirst();
  if (row === undefined) return;
  tanks.set(identity, {
    tankId: row.tank_id,
    funded: fromWeiText(row.funded),
    settled: fromWeiText(row.settled),
    held: fromWeiText(row.held),
  });
}

async function readContractTotal(
  transaction: Transaction<Database>,
  contractTotals: HoldWorkingSet['contractTotals'],
  request: HoldRequest,
): Promise<void> {
  const identity = contractIdentity(request.tank);
  if (contractTotals.has(identity)) return;
  const row = await transaction
    .selectFrom('contract_totals')
    .select('held')
    .where('chain_id', '=', request.tank.chainId)
    .where('contract', '=', request.tank.contract)
    .executeTakeFirst();
  if (row === undefined) return;
  contractTotals.set(identity, {
    chainId: request.tank.chainId,
    contract: request.tank.contract,
    held: fromWeiText(row.held),
  });
}

async function readLiveHolds(
  transaction: Transaction<Database>,
  tanks: HoldWorkingSet['tanks'],
  requests: readonly HoldRequest[],
): Promise<HoldWorkingSet['holds']> {
  const byIdentity = new Map<string, HoldRequest>();
  for (const request of requests) {
    const tank = tanks.get(tankIdentity(request.tank));
    if (tank !== undefined) byIdentity.set(identityOf(tank.tankId, request), request);
  }
  const holds: HoldWorkingSet['holds'] = new Map();
  if (byIdentity.size === 0) return holds;
  const rows = await transaction
    .selectFrom('holds')
    .select([
      'hold_id',
      'tank_id',
      'slot',
      'paymaster_id',
      'policy_id',
      'amount',
      'valid_until',
      'lasts_long',
      'counted',
      'user_percent',
      'usd_micros',
      'worth',
      'created_at',
      'key_number',
      'client',
      'at_risk',
      'signers',
      'subject',
      'ticket',
    ])
    .where('state', '=', 'live')
    .where('slot', 'in', dialectOf(transaction).texts([...new Set([...byIdentity.values()].map(slotOf))]))
    .execute();
  const calls = await readHoldCalls(
    transaction,
    rows.map((row) => row.hold_id),
  );
  for (const row of rows) {
    const identity = holdIdentity(row.tank_id, { paymasterId: row.paymaster_id, policyId: row.policy_id }, row.slot);
    const request = byIdentity.get(identity);
    if (request === undefined) continue;
    holds.set(identity, {
      holdId: row.hold_id,
      tankId: row.tank_id,
      request,
      client: row.client ?? undefined,
      createdAt: row.created_at,
      keyNumber: row.key_number,
      amount: fromWeiText(row.amount),
      validUntil: row.valid_until,
      lastsLong: row.lasts_long === 1,
      counted: row.counted === null ? undefined : fromWeiText(row.counted),
      userPercent: row.user_percent ?? undefined,
      usdMicros: row.usd_micros === null ? undefined : BigInt(row.usd_micros),
      worth: row.worth === null ? undefined : BigInt(row.worth),
      calls: calls.get(row.hold_id) ?? new Map(),
      hasMoreCalls: false,
      subject: row.subject ?? undefined,
      ticket: row.ticket ?? undefined,
      atRisk: row.at_risk === null ? undefined : fromWeiText(row.at_risk),
      signers: row.signers === null ? undefined : new Set(row.signers.split(',')),
      deploys: false,
      added: 0n,
      change: { operations: 0, wei: 0n, usdMicros: 0n },
      worthAdded: 0n,
      changed: false,
    });
  }
  return holds;
}

async function readGrants(
  transaction: Transaction<Database>,
  holds: HoldWorkingSet['holds'],
  requests: readonly HoldRequest[],
): Promise<HoldWorkingSet['grants']> {
  const grants: HoldWorkingSet['grants'] = new Map();
  // A grant lives as long as its hold: without a live hold there is none.
  if (holds.size === 0) return grants;
  const byHold = new Map([...holds.values()].map((hold) => [hold.holdId ?? 0, hold]));
  const rows = await transaction
    .selectFrom('grants')
    .selectAll()
    .where('hold_id', 'in', dialectOf(transaction).numbers([...byHold.keys()]))
    .where(
      'request_key',
      'in',
      dialectOf(transaction).texts([...new Set(requests.map(({ requestKey }) => requestKey))]),
    )
    .execute();
  for (const { request_key, hold_id, valid_until, terms } of rows) {
    const hold = byHold.get(hold_id);
    if (hold !== undefined) grants.set(request_key, { hold, validUntil: valid_until, terms, fresh: false });
  }
  return grants;
}
