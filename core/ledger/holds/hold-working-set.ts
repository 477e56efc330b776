import type { Kysely, Transaction } from 'kysely';
import { isSponsored } from '../../domain/user-share.ts';
import { type LimitsByPolicy, policiesOf, toLimits } from '../../policies/limit-window.ts';
import { isNamed, type PolicyKey } from '../../policies/policy-key.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { accountsNamed, accountsNumbered, type LedgerAccounts, toLedgerAccounts } from '../accounts/ledger-accounts.ts';
import { accountsIn } from '../accounts/legs.ts';
import { type LimitNumbers, numbersOf, toLimitNumbers } from '../accounts/limit-numbers.ts';
import { openAccountsOf } from '../accounts/open-accounts.ts';
import { type Budgets, budgetsOf, toBudgets } from '../budgets.ts';
import { allCounters, type Counters, storedCounters, toCounters } from '../counters.ts';
import { accountsOf, ownersOf, sponsoredAmong } from './decide-limits.ts';
import { vendorLegs } from './decide-vendor.ts';
import { type DraftHold, identityOf } from './draft-hold.ts';
import { openDeploymentOf } from './has-open-deployment.ts';
import { type HoldRequest, operationKeyOf, tankIdentity } from './hold-request.ts';
import {
  changesOf,
  type KnownTerms,
  liveHoldsOf,
  type Tanks,
  tanksOf,
  termsUnder,
  toKnownTerms,
  toLiveHolds,
  toTanks,
} from './live-holds.ts';
import { type OpenTokenPayments, readOpenTokenPayments } from './open-token-payments.ts';
import { type PendingPayers, readPendingPayers } from './other-payers.ts';

/** Accounts that a batch of holds may refer to: one request can have those of 40 limits and budgets. */
const maxAccounts = 4_000;

/** What a batch of holds is decided with, read in its own transaction. Amounts in wei. */
export type HoldWorkingSet = {
  /** The requests of the batch: at least the first one. */
  readonly requests: readonly HoldRequest[];
  readonly tanks: Tanks;
  readonly holds: Map<string, DraftHold>;
  /** By request key. */
  readonly knownTerms: Map<string, KnownTerms>;
  readonly limits: LimitsByPolicy;
  readonly numbers: LimitNumbers;
  readonly counters: Counters;
  readonly budgets: Budgets;
  /**
   * What holds come to for tanks, contracts, senders and clients, and what limits, tickets, budgets and another paymaster's budget
   * have counted: as stored, and with what the batch adds.
   */
  readonly accounts: LedgerAccounts;
  /** What may still land the other way, relayed or through a paymaster contract. */
  readonly pendingPayers: PendingPayers;
  /** What the senders' open operations may take of the tokens that they pay with. */
  readonly tokenPayments: OpenTokenPayments;
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
 * Reads everything in two round trips: first what the requests refer to, then what the first rows refer to. The batch is as many
 * of the requests, from the first one on, as refer to few enough accounts.
 */
export async function readHoldWorkingSet(
  transaction: Transaction<Database>,
  asked: readonly HoldRequest[],
  now: number,
): Promise<HoldWorkingSet> {
  const paying = asked.filter(({ paysAuthorization }) => paysAuthorization);
  const [tankRows, holdRows, policyRows, budgetRows, changeRows, ticketRows, numberRows, counterRows, ...deploys] =
    await runTogether(transaction, ...firstReads(asked), ...paying.map((request) => otherDeployments(request, now)));
  const tanks = toTanks(tankRows);
  const limits = toLimits(policyRows, boundPolicies(asked));
  const counters = toCounters(counterRows);
  const numbers = toLimitNumbers(numberRows, counters);
  const budgets = toBudgets(budgetRows);
  const { requests, holds, names, ids } = cutBatch(asked, { tanks, limits, numbers, budgets, now, holdRows });
  const [namedRows, joinedRows, termsRows] = await runTogether(
    transaction,
    accountsNamed([...names]),
    accountsNumbered([...ids]),
    termsUnder(holdRows, requests),
  );
  return {
    requests,
    tanks,
    holds,
    knownTerms: toKnownTerms(termsRows, holds),
    limits,
    numbers,
    counters,
    budgets,
    accounts: toLedgerAccounts([...namedRows, ...joinedRows], names, counters),
    pendingPayers: await readPendingPayers(transaction, requests, now),
    tokenPayments: await readOpenTokenPayments(transaction, requests, now),
    authorizedBefore: new Set(paying.filter((_, index) => deploys[index]?.length !== 0)),
    changes: new Map(changeRows.map(({ paymaster_id, changes }) => [paymaster_id, changes])),
    forgottenTickets: toForgottenTickets(ticketRows),
    now,
  };
}

/** Requests that are decided together, the live holds that they may join, and their accounts by name and by number. */
type Batch = Pick<HoldWorkingSet, 'requests' | 'holds'> & {
  readonly names: ReadonlySet<string>;
  readonly ids: ReadonlySet<number>;
};

/** What the first reads say of the requests. */
type Known = Pick<HoldWorkingSet, 'tanks' | 'limits' | 'numbers' | 'budgets' | 'now'> & {
  readonly holdRows: readonly RowOf<typeof liveHoldsOf>[];
};

/** The requests if their accounts are at most {@link maxAccounts}; otherwise so many of the first of them. */
function cutBatch(requests: readonly HoldRequest[], known: Known): Batch {
  const { tanks, holdRows, now } = known;
  const holds = toLiveHolds(holdRows, { tanks, requests });
  const liveOf = (request: HoldRequest) => {
    const tank = tanks.get(tankIdentity(request.tank));
    return tank && holds.get(identityOf(tank.tankId, request));
  };
  const names = new Set([
    ...accountsOf(known, requests, liveOf),
    ...possibleNames(requests, { tanks, holds }),
    ...requests.flatMap((request) => vendorNames(request, now)),
  ]);
  const ids = accountsIn(holds.values());
  if (requests.length === 1 || names.size + ids.size <= maxAccounts) return { requests, holds, names, ids };
  return cutBatch(requests.slice(0, Math.ceil(requests.length / 2)), known);
}

/** What the requests themselves refer to. */
function firstReads(requests: readonly HoldRequest[]) {
  const tanks = [...new Map(requests.map(({ tank }) => [tankIdentity(tank), tank])).values()];
  const compared = requests.filter(({ decidedOn }) => decidedOn.paymasterChanges !== undefined);
  const ticketed = requests.filter(({ ticket }) => ticket?.bounded !== undefined);
  return [
    tanksOf(tanks),
    liveHoldsOf({ operationKeys: [...new Set(requests.map(operationKeyOf))] }),
    policiesOf(boundPolicies(requests)),
    budgetsOf(paymastersOf(sponsoredAmong(requests))),
    changesOf(paymastersOf(compared)),
    forgottenTicketsOf(paymastersOf(ticketed)),
    numbersOf(ownersOf(requests)),
    storedCounters(allCounters),
  ] as const;
}

function paymastersOf(requests: readonly HoldRequest[]): readonly string[] {
  return [...new Set(requests.map(({ policy }) => policy.paymasterId))];
}

function otherDeployments({ tank, sender, nonce: besides }: HoldRequest, now: number) {
  return openDeploymentOf({ chainId: tank.chainId, sender, now, besides });
}

/** The policies whose limits can apply to these requests, or which have to exist still. */
function boundPolicies(requests: readonly HoldRequest[]): readonly PolicyKey[] {
  const bound = requests.filter(({ payment, policy }) => isSponsored(payment) || isNamed(policy));
  return bound.map(({ policy }) => policy);
}

/** The accounts that may have a hold open, whatever the requests make of those that live, and of others. */
function possibleNames(
  requests: readonly HoldRequest[],
  { tanks, holds }: Pick<HoldWorkingSet, 'tanks' | 'holds'>,
): readonly string[] {
  const live = [...holds.values()];
  const mayEndUnpaid =
    requests.some(({ unpaidBudget }) => unpaidBudget !== undefined) || live.some(({ atRisk }) => atRisk !== undefined);
  const most = { lastsLong: true, atRisk: mayEndUnpaid ? 0n : undefined };
  const fresh = requests.flatMap(({ tank, policy: { paymasterId }, sender, caps }) => {
    const tankId = tanks.get(tankIdentity(tank))?.tankId;
    return tankId === undefined ? [] : [{ ...tank, tankId, paymasterId, sender, client: caps?.client }];
  });
  return [...fresh, ...live].flatMap((hold) => openAccountsOf({ ...hold, ...most }).map(({ account }) => account.name));
}

/** The accounts that another paymaster's budget counts a request in, if one is going to be asked. */
function vendorNames(request: HoldRequest, now: number): readonly string[] {
  return request.vendor === undefined ? [] : vendorLegs(request, now).map(({ account }) => account.name);
}

/** For each of these paymasters that had accounts of tickets pruned, the latest end of these tickets in Unix seconds. */
const forgottenTicketsOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('forgotten_tickets').select(['paymaster_id', 'ended_until']).where('paymaster_id', 'in', texts()),
);

/** The rows of {@link forgottenTicketsOf}. */
function toForgottenTickets(rows: readonly RowOf<typeof forgottenTicketsOf>[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ paymaster_id, ended_until }) => [paymaster_id, ended_until]));
}

/** The latest end of the tickets of a paymaster whose accounts were pruned, in Unix seconds; undefined before any was. */
export async function readForgottenTicket(db: Kysely<Database>, paymasterId: string): Promise<number | undefined> {
  const [rows] = await runTogether(db, forgottenTicketsOf([paymasterId]));
  return rows[0]?.ended_until;
}
