import { omitAbsent } from '@tollfree/contract/omit-absent';
import { isSponsored, modeOf } from '../../domain/user-share.ts';
import { type CalledCounts, calledKey } from '../../policies/called-limits.ts';
import { type LimitsByPolicy, windowStart } from '../../policies/limit-window.ts';
import { policyKey } from '../../policies/policy-key.ts';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import type { CountedLimit, Ruling } from '../../policies/rules/ruling.ts';
import type { AccountName, LedgerAccounts } from '../accounts/ledger-accounts.ts';
import { countedIn, type Legs, limitedQuantity } from '../accounts/legs.ts';
import { type CountKey, inUnit, limitAccount, limitCode } from '../accounts/limit-accounts.ts';
import { type LimitNumbers, ownerOfKey, ownerOfPolicy } from '../accounts/limit-numbers.ts';
import { type Budgets, budgetAccount } from '../budgets.ts';
import type { SponsoredHold } from './add-to-hold.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';

/** The parts of a working set that limits are decided with. `now` in Unix seconds. */
type LimitWorkingSet = {
  readonly limits: LimitsByPolicy;
  readonly numbers: LimitNumbers;
  readonly accounts: LedgerAccounts;
  readonly budgets: Budgets;
  readonly now: number;
};

/** An account that is going to count a hold, and as what. */
export type PlannedLeg = { readonly code: string; readonly account: AccountName };

/** Whom limits count a request for. What joins a hold counts for the key that it was first requested with. */
function countKeyOf(request: HoldRequest, keyNumber: number): CountKey {
  const { sender, policy, ticket } = request;
  const { id, endsAt } = ticket?.bounded ?? {};
  return {
    sender,
    keyNumber,
    ...policy,
    ...omitAbsent({ ticketUser: ticket?.user, ticket: id, ticketEndsAt: endsAt }),
  };
}

/** The limits on a sponsored request: of its policy, its ticket, and the key that its operation counts for. */
function limitsOn(limits: LimitsByPolicy, request: HoldRequest, keyNumber: number): readonly CountedLimit[] {
  const ofPolicy = limits.get(policyKey(request.policy)) ?? [];
  return [
    // A limit per user does not apply without a user.
    ...ofPolicy.filter(({ per }) => per !== 'subject' || request.ticket !== undefined),
    ...(request.ticket?.bounded?.limits ?? []),
    ...(request.key.limits.get(keyNumber) ?? []).map((limit) => ({ per: 'key' as const, ...limit })),
  ];
}

/** Those that limits and budgets count. */
export function sponsoredAmong(requests: readonly HoldRequest[]): readonly HoldRequest[] {
  return requests.filter(({ payment }) => isSponsored(payment));
}

/** Whose limits may count these requests: see `numbersOf`. */
export function ownersOf(requests: readonly HoldRequest[]): readonly string[] {
  const owners = sponsoredAmong(requests).flatMap((request) => {
    const keys = [...request.key.limits.keys()];
    return [ownerOfPolicy(request.policy), ...keys.map((key) => ownerOfKey(request.policy.paymasterId, key))];
  });
  return [...new Set(owners)];
}

/**
 * The names of all accounts that requests of a batch may count in, whichever of them joins which hold. `liveOf` is the hold that
 * a request would join.
 */
export function accountsOf(
  workingSet: Omit<LimitWorkingSet, 'accounts'>,
  requests: readonly HoldRequest[],
  liveOf: (request: HoldRequest) => Pick<DraftHold, 'keyNumber'> | undefined,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const request of sponsoredAmong(requests)) {
    for (const keyNumber of keysOf(requests, request, liveOf(request))) {
      const countKey = countKeyOf(request, keyNumber);
      for (const limit of limitsOn(workingSet.limits, request, keyNumber))
        names.add(limitAccount(limit, countKey, workingSet).name);
    }
    for (const budget of workingSet.budgets.of(request.policy.paymasterId))
      names.add(budgetAccount(budget, workingSet.now).name);
  }
  return names;
}

/**
 * The keys that a request may count for: that of the hold it joins, or of another request that is decided earlier, also of one
 * that limits do not count.
 */
function keysOf(
  requests: readonly HoldRequest[],
  request: HoldRequest,
  live: Pick<DraftHold, 'keyNumber'> | undefined,
): ReadonlySet<number> {
  const own = live?.keyNumber ?? request.key.keyNumber;
  if (request.key.limits.size === 0) return new Set([own]);
  const others = requests.filter(({ policy }) => policy.paymasterId === request.policy.paymasterId);
  return new Set([own, ...others.map(({ key }) => key.keyNumber)]);
}

/**
 * What the limits say to a sponsored request, and the accounts that are to count its hold then. A hold counts in the windows of
 * the time of its last request, as a whole: an account counts what it comes to after the request less what it counted before.
 */
export function decideLimits(
  workingSet: LimitWorkingSet,
  request: HoldRequest,
  { live, after }: { readonly live: DraftHold | undefined; readonly after: SponsoredHold },
): { readonly rulings: readonly Ruling[]; readonly planned: readonly PlannedLeg[] } {
  const keyNumber = live?.keyNumber ?? request.key.keyNumber;
  const countKey = countKeyOf(request, keyNumber);
  const concerned = limitsOn(workingSet.limits, request, keyNumber).filter((limit) =>
    concerns(limit, request, after.calls),
  );
  const planned: PlannedLeg[] = [];
  const counts = concerned.map((limit) => {
    const account = limitAccount(limit, countKey, workingSet);
    const code = limitCode(limit, after.calls);
    if (code !== undefined) planned.push({ code, account });
    const used = inUnit(limit, workingSet.accounts.of(account.name));
    const counted = inUnit(limit, countedIn(live, workingSet.accounts.find(account.name)));
    const isKnown = code !== undefined && isAsked(limit, request);
    const asked = isKnown ? inUnit(limit, limitedQuantity(after, code)) - counted : undefined;
    return { limit, windowStart: windowStart(limit.window, workingSet.now), used, asked };
  });
  return { rulings: decideStage('hold', { counts }, modeOf(request.payment)), planned };
}

/**
 * A limit of a contract or method does not apply to a hold without such a call. If the request does not know its calls, it
 * cannot be said that there are none.
 */
function concerns(limit: CountedLimit, request: HoldRequest, calls: CalledCounts): boolean {
  const called = calledKey(limit);
  return called === undefined || calls.has(called) || request.calls?.has(called) !== true;
}

/** Whether the request says how much it asks of a limit: in USD it needs a price, and of calls their number. */
function isAsked(limit: CountedLimit, request: HoldRequest): boolean {
  if (limit.unit === 'usdMicros' && request.prices.usdMicrosPerCoin === undefined) return false;
  const called = calledKey(limit);
  return called === undefined || request.calls?.has(called) === true;
}

/** The accounts of the budgets that count the holds of a paymaster. */
export function budgetLegs({ budgets, now }: LimitWorkingSet, paymasterId: string): readonly PlannedLeg[] {
  return budgets.of(paymasterId).map((budget) => ({ code: 'b', account: budgetAccount(budget, now) }));
}

/** The legs of a hold that was accepted: its accounts are opened where they are new. */
export function openLegs(accounts: LedgerAccounts, planned: readonly PlannedLeg[]): Legs {
  const legs: Record<string, number[]> = {};
  for (const { code, account } of planned) {
    const id = accounts.open(account);
    const own = legs[code];
    if (own === undefined) legs[code] = [id];
    else if (!own.includes(id)) own.push(id);
  }
  return legs;
}
