import type { Transaction } from 'kysely';
import { isSponsored } from '../../domain/user-share.ts';
import { type LimitsByPolicy, policiesOf, toLimits } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { type BudgetWorkingSet, budgetsOf, planBudgets, worthsOf } from '../budgets.ts';
import { forgottenTicketsOf, toForgottenTickets, usagesOf } from '../counts/limit-usage.ts';
import type { UsageSubject } from '../counts/usage-key.ts';
import { legsOf } from '../sums/hold-legs.ts';
import { type RunningSums, readSums } from '../sums/sum-tables.ts';
import type { WantedCount } from './count-in-steps.ts';
import { type DraftHold, freshHold, risksOf, toRisks } from './draft-hold.ts';
import { openDeploymentOf } from './has-open-deployment.ts';
import { type HoldRequest, policyOf, slotOf, tankIdentity } from './hold-request.ts';
import {
  changesOf,
  type KnownGrant,
  liveHoldsOf,
  readJoined,
  type Tanks,
  tanksOf,
  toGrants,
  toLiveHolds,
  toTanks,
} from './live-holds.ts';
import { type OpenTokenPayments, readOpenTokenPayments } from './open-token-payments.ts';
import { type PendingWays, readPendingWays } from './other-way.ts';
import { toUpstreamWorkingSet, type UpstreamWorkingSet, upstreamReads } from './upstream-working-set.ts';
import { countsOf, makeUsageWorkingSet, subjectOf, type UsageWorkingSet } from './usage-working-set.ts';

/** What a batch of holds is decided with, read in its own transaction. Amounts in wei. */
export type HoldWorkingSet = {
  readonly tanks: Tanks;
  readonly holds: Map<string, DraftHold>;
  /** By request key. */
  readonly grants: Map<string, KnownGrant>;
  readonly limits: LimitsByPolicy;
  readonly usage: UsageWorkingSet;
  readonly budgets: BudgetWorkingSet;
  /** Counts that were only started: requests under their limits are refused. */
  readonly uncounted: readonly WantedCount[];
  /** What holds come to for tanks, contracts, senders, clients and budgets: as stored, and with what the batch adds. */
  readonly sums: RunningSums;
  /** What may still land the other way, relayed or through a paymaster contract. */
  readonly pendingWays: PendingWays;
  /** What the senders' open operations may take of the tokens that they pay with. */
  readonly tokenPayments: OpenTokenPayments;
  /** What a second paymaster has been asked for. */
  readonly upstream: UpstreamWorkingSet;
  /**
   * Requests that pay for an authorization of a sender to which another open operation gives its code, no matter who
   * requested it.
   */
  readonly authorizedBefore: ReadonlySet<HoldRequest>;
  /** How often paymasters have been changed, for those whose requests include that number. */
  readonly changes: ReadonlyMap<string, number>;
  /** For paymasters that had counts of tickets pruned: the latest end of these tickets, in Unix seconds. */
  readonly forgottenTickets: ReadonlyMap<string, number>;
  /** Unix seconds. */
  readonly now: number;
};

/**
 * Reads everything in two round trips: first what the requests refer to, then what the first rows refer to. A third one is
 * between them if a request may join a live hold.
 */
export async function readHoldWorkingSet(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  now: number,
): Promise<HoldWorkingSet> {
  const paying = requests.filter(({ paysAuthorization }) => paysAuthorization === true);
  const [tankRows, holdRows, policyRows, budgetRows, changeRows, ticketRows, ...deploys] = await runTogether(
    transaction,
    ...firstReads(requests),
    ...paying.map((request) => otherDeployments(request, now)),
  );
  const tanks = toTanks(tankRows);
  const { calls, grantRows } = await readJoined(transaction, holdRows, requests);
  const holds = toLiveHolds(holdRows, calls, { tanks, requests });
  const limits = toLimits(policyRows, requests.filter(isBound).map(policyOf));
  const counts = countsOf(limits, { requests, tanks, holds, now });
  const subjects = requests.map((request) => ({ request, ...subjectOf({ tanks, holds, now }, request) }));
  const sponsored = subjects.filter(({ request }) => isSponsored(request));
  const budgets = planBudgets(budgetRows, sponsored);
  const risks = risksOf(requests, now);
  const sums = readSums([
    ...subjects.flatMap((subject) => possibleLegs(subject, tanks)),
    ...[...holds.values()].flatMap(legsOf),
  ]);
  const [usageRows, worthRows, upstreamSums, upstreamHolds, ...sumRows] = await runTogether(
    transaction,
    usagesOf(counts.map(({ key }) => key)),
    worthsOf(budgets.windows),
    ...upstreamReads(requests, { holds, now }),
    ...sums.reads,
    ...risks.map(({ statement }) => statement),
  );
  const { usage, uncounted } = await makeUsageWorkingSet(transaction, counts, { stored: usageRows, holds });
  // With the worth that counting has given them.
  for (const hold of holds.values()) hold.before = { ...hold };
  return {
    tanks,
    holds,
    grants: toGrants(grantRows, holds),
    limits,
    usage,
    budgets: budgets.workingSet(worthRows),
    uncounted,
    sums: sums.run(sumRows, { risk: toRisks(risks, sumRows.slice(sums.reads.length)) }),
    pendingWays: await readPendingWays(transaction, requests, now),
    tokenPayments: await readOpenTokenPayments(transaction, requests, now),
    upstream: toUpstreamWorkingSet(upstreamSums, upstreamHolds, now),
    authorizedBefore: new Set(paying.filter((_, index) => deploys[index]?.length !== 0)),
    changes: new Map(changeRows.map(({ paymaster_id, changes }) => [paymaster_id, changes])),
    forgottenTickets: toForgottenTickets(ticketRows),
    now,
  };
}

/** What the requests themselves refer to. */
function firstReads(requests: readonly HoldRequest[]) {
  const tanks = [...new Map(requests.map(({ tank }) => [tankIdentity(tank), tank])).values()];
  const compared = requests.filter(({ paymasterChanges }) => paymasterChanges !== undefined);
  const ticketed = requests.filter(({ ticket }) => ticket !== undefined);
  return [
    tanksOf(tanks),
    liveHoldsOf({ slots: [...new Set(requests.map(slotOf))] }),
    policiesOf(requests.filter(isBound).map(policyOf)),
    budgetsOf(paymastersOf(requests.filter(isSponsored))),
    changesOf(paymastersOf(compared)),
    forgottenTicketsOf(paymastersOf(ticketed)),
  ] as const;
}

function paymastersOf(requests: readonly HoldRequest[]): readonly string[] {
  return [...new Set(requests.map(({ paymasterId }) => paymasterId))];
}

function otherDeployments({ tank, sender, nonce: besides }: HoldRequest, now: number) {
  return openDeploymentOf({ chainId: tank.chainId, sender, now, besides });
}

/** Whether limits of a policy can apply to it, or the policy has to exist still. */
function isBound(request: HoldRequest): boolean {
  return isSponsored(request) || request.policyId !== undefined;
}

/** What sums may count of a request once it holds. A hold that it joins has legs of its own besides. */
function possibleLegs({ request, createdAt }: UsageSubject & { readonly request: HoldRequest }, tanks: Tanks) {
  const tank = tanks.get(tankIdentity(request.tank));
  if (tank === undefined) return [];
  const hold = freshHold(request, tank.tankId, createdAt);
  hold.lastsLong = true;
  hold.counted = 0n;
  return legsOf(hold);
}
