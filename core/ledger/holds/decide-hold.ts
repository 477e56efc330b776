import { maxBigint } from '../../base/values/integers.ts';
import { isSponsored } from '../../domain/user-share.ts';
import { calledKey } from '../../policies/called-limits.ts';
import { policyNotAccepted } from '../../policies/policy-key.ts';
import { decideStage, refusedBy } from '../../policies/rules/decide-stage.ts';
import type { CountedLimit, Ruling } from '../../policies/rules/ruling.ts';
import { worthUsdMicros } from '../../policies/worth-usd.ts';
import { ticketRefusals } from '../../tickets/ticket.ts';
import { decideBudgets, worthWith } from '../budgets.ts';
import type { LimitUsage } from '../counts/limit-usage.ts';
import { legsOf } from '../sums/hold-legs.ts';
import { differences } from '../sums/sum-tables.ts';
import { addSponsored, addToHold, noteSigner, sponsoredWei, takeOver } from './add-to-hold.ts';
import { countForClient, decideCaps } from './decide-caps.ts';
import { decideRisk, riskAdded } from './decide-risk.ts';
import { askUpstream, decideUpstream } from './decide-upstream.ts';
import { type DraftHold, freshHold, identityOf } from './draft-hold.ts';
import { type HoldOutcome, type HoldRequest, tankIdentity } from './hold-request.ts';
import type { HoldWorkingSet } from './hold-working-set.ts';
import { decideTokenPayment, noteTokenPayment } from './open-token-payments.ts';
import { decideWay, noteWay } from './other-way.ts';
import { availableWei } from './read-available-funds.ts';
import type { AskedUpstream } from './upstream-working-set.ts';
import { limitsOn, subjectOf } from './usage-working-set.ts';

/** A signature that ends within this many seconds is of no use to a client that asks again. */
const minRest = 10;

/** A decision that the working set already includes. */
export type HoldDecision =
  | {
      readonly kind: 'held';
      readonly request: HoldRequest;
      readonly hold: DraftHold;
      readonly rulings: readonly Ruling[];
      readonly terms?: string;
      readonly upstream?: AskedUpstream;
    }
  | Exclude<HoldOutcome, { readonly kind: 'held' }>;

/**
 * Decides one hold with the working set, and adds it there when it fits.
 *
 * The rules:
 * - no limit of the policy, which must still exist, and no budget of the account is exceeded;
 * - `held + settled ≤ funded` for the tank;
 * - all holds on a paymaster contract are within its deposit on chain;
 * - no cap of the operator on sender, client or contract is exceeded, nor the budget of what may end unpaid;
 * - the sender's tokens suffice for all its open operations that pay in them after their call;
 * - there is one live hold per tank, paymaster, policy, sender and nonce, with the largest amount and the latest expiry, and
 *   none while an operation of the wallet with this sender and nonce may land the other way, relayed or by a paymaster
 *   contract.
 *
 * A request that was granted before, with a hold still live, gets the same terms and adds nothing. Nothing is decided when
 * the paymaster has changed meanwhile.
 */
export function decideHold(book: HoldWorkingSet, request: HoldRequest): HoldDecision {
  const { paymasterChanges } = request;
  if (request.isCurrent?.() === false) return { kind: 'changed' };
  if (paymasterChanges !== undefined && book.changes.get(request.paymasterId) !== paymasterChanges) {
    return { kind: 'changed' };
  }
  if (request.policyId !== undefined && !book.limits.has(request.policyId)) return endedPolicy(request.policyId);
  if (isForgotten(book, request)) return forgottenTicket;
  const funds = book.tanks.get(tankIdentity(request.tank));
  if (funds === undefined) return { kind: 'unfunded', rulings: [], available: 0n };
  const { tankId, funded, settled } = funds;
  const tank = { tankId, funded, settled, held: book.sums.of('tank', [tankId]).wei };
  const heldOnContract = book.sums.of('contract', [request.tank.chainId, request.tank.contract]).wei;
  const identity = identityOf(tank.tankId, request);
  const live = book.holds.get(identity);
  const available = availableWei(tank, heldOnContract, request);
  const known = request.upstream === undefined ? book.grants.get(request.requestKey) : undefined;
  if (known !== undefined && known.hold === live && available >= 0n && known.validUntil > book.now + minRest) {
    noteSigner(live, request);
    return { kind: 'held', request, hold: known.hold, rulings: [grantedBefore], terms: known.terms };
  }

  const pending = decideWay(book.pendingWays, request);
  if (pending !== undefined) return { kind: 'limited', rulings: [pending], refusal: pending.refusal };
  const ofTank = request.upstream === undefined ? request.amount : 0n;
  const added = maxBigint(ofTank - (live?.amount ?? 0n), 0n);
  const change = countedChange(request, live);
  const { rulings: ruled, ...usage } = decideLimits(book, request, { live, change });
  const limited = refusedBy(ruled);
  if (limited !== undefined) return { kind: 'limited', rulings: ruled, refusal: limited.refusal };
  const worth = worthWith(request, live, change.wei);
  const budgets = isSponsored(request) ? book.budgets.counts(request.paymasterId, usage.subject.createdAt) : [];
  const budgeted = [...ruled, ...decideBudgets(budgets, worth)];
  const overBudget = refusedBy(budgeted);
  if (overBudget !== undefined) return { kind: 'limited', rulings: budgeted, refusal: overBudget.refusal };
  if (request.upstream === undefined && added > available)
    return { kind: 'unfunded', rulings: budgeted, available: maxBigint(available, 0n) };
  const spendable = available + tank.held;
  const atRiskAdded = riskAdded(request, live);
  const counted = countForClient(request, live, { amount: added, atRisk: atRiskAdded });
  const capped = [
    ...decideCaps(book, request, tank, live, { added, spendable, counted }),
    ...decideRisk(book, request, { added: atRiskAdded, spendable, counted }),
  ];
  const asked = request.upstream && decideUpstream(book.upstream, { ...request, upstream: request.upstream }, live);
  const ofUpstream = asked?.rulings ?? [];
  const rulings = [...budgeted, ...capped, ...ofUpstream];
  const refused = refusedBy([...capped, ...ofUpstream]);
  if (refused !== undefined) return { kind: 'limited', rulings, refusal: refused.refusal };
  const paid = decideTokenPayment(book.tokenPayments, request);
  if (paid?.ruling.refusal !== undefined) {
    const { ruling, openPayments } = paid;
    return { kind: 'limited', rulings: [...rulings, ruling], refusal: paid.ruling.refusal, openPayments };
  }

  book.usage.add(usage.limits, usage.subject, usage.changeOf);
  for (const count of budgets) count.used += worth.added;
  if (usage.taken !== undefined) book.usage.takeOff(usage.taken.former, usage.taken.counted);
  const hold = live ?? freshHold(request, tank.tankId, book.now);
  hold.accountId = book.budgets.accountOf(request.paymasterId);
  const before = live && { ...live };
  if (counted.takesOver) hold.client = request.client;
  addToHold(hold, request, { added, atRiskAdded });
  if (isSponsored(request)) addSponsored(hold, request, { change, worth });
  book.sums.add(differences({ before, after: hold }, legsOf));
  book.holds.set(identity, hold);
  noteWay(book.pendingWays, request);
  noteTokenPayment(book.tokenPayments, request);
  if (asked !== undefined) {
    const upstream = askUpstream(book.upstream, { ...asked, hold, request });
    return { kind: 'held', request, hold, rulings, upstream };
  }
  const { validUntil, terms, tokenPayment } = request;
  book.grants.set(request.requestKey, { hold, validUntil, terms, tokenPayment, fresh: true });
  return { kind: 'held', request, hold, rulings: [...rulings, carried(request, added, available)] };
}

type Joined = { readonly live: DraftHold | undefined; readonly change: LimitUsage };

/** The limits of the policy and the key that count the request, and how much it adds to each of them. */
function decideLimits(book: HoldWorkingSet, request: HoldRequest, { live, change }: Joined) {
  const taken = takeOver(request, live);
  /** What the request adds to a count: the whole hold for counts of another user or ticket than before. */
  const changeOf = (limit: CountedLimit) => {
    const isFirst = taken !== undefined && isOwn[limit.per];
    const called = calledKey(limit);
    if (called !== undefined) return calledChange(called, { request, live, change, isFirst });
    return isFirst ? sumUsage(taken.counted, change) : change;
  };
  const subject = subjectOf(book, request);
  const limits = isSponsored(request) ? limitsOn(book.limits, request, { keyNumber: subject.keyNumber, live }) : [];
  const counts = limits.map((limit) => {
    const isUnpriced = limit.unit === 'usdMicros' && request.usdMicrosPerCoin === undefined;
    const called = calledKey(limit);
    const isUnknown = isUnpriced || (called !== undefined && request.calls?.has(called) !== true);
    return book.usage.count(limit, subject, isUnknown ? undefined : BigInt(changeOf(limit)[limit.unit]));
  });
  return { rulings: decideStage('hold', { counts }, request.mode), limits, subject, changeOf, taken };
}

/** What a sponsored request adds to the counts that its hold is part of. */
function countedChange(request: HoldRequest, live: DraftHold | undefined): LimitUsage {
  const before = live?.counted;
  const wei = maxBigint(sponsoredWei(request) - (before ?? 0n), 0n);
  const price = request.usdMicrosPerCoin;
  // A hold without a worth so far is valued as a whole.
  const valued = live?.usdMicros === undefined ? (before ?? 0n) + wei : wei;
  return {
    operations: before === undefined ? 1 : 0,
    wei,
    usdMicros: price === undefined ? 0n : worthUsdMicros(valued, price),
  };
}

type CalledChange = {
  readonly request: HoldRequest;
  readonly live: DraftHold | undefined;
  readonly change: LimitUsage;
  /** It is the first time that the hold counts there. */
  readonly isFirst: boolean;
};

/**
 * What a request adds to the count of a contract's or method's calls: the calls it has beyond those of the hold that it
 * joins, because only one of the operations can land; and, of the cost, all that it adds, or the whole cost if the hold had
 * no such call.
 */
function calledChange(called: string, { request, live, change, isFirst }: CalledChange): LimitUsage {
  const before = live?.calls.get(called) ?? 0;
  const after = Math.max(before, request.calls?.get(called) ?? 0);
  const isNew = isFirst || before === 0;
  const wei = change.wei + (isNew ? (live?.counted ?? 0n) : 0n);
  return { operations: isFirst ? after : after - before, wei: after === 0 ? 0n : wei, usdMicros: 0n };
}

/** Which counts are of a user or a ticket alone, and go with the hold when that is taken over. */
const isOwn = {
  ...{ sender: false, total: false, key: false, webhook: false },
  ...{ subject: true, ticket: true },
} as const satisfies Record<CountedLimit['per'], boolean>;

function sumUsage(one: LimitUsage, other: LimitUsage): LimitUsage {
  return {
    operations: one.operations + other.operations,
    wei: one.wei + other.wei,
    usdMicros: one.usdMicros + other.usdMicros,
  };
}

/** The policy was deleted or closed after the request chose it. */
function endedPolicy(policyId: string): HoldDecision {
  const refusal = policyNotAccepted(`${policyId} was just deleted or disabled`);
  return { kind: 'limited', rulings: [{ rule: 'policy', finding: ['policy-ended', policyId], refusal }], refusal };
}

/**
 * Whether the ticket had ended when counts of others that ended no earlier were pruned: what was spent on it may be known no more.
 * Its end alone does not say that it is over, as a clock may have been set back since.
 */
function isForgotten({ forgottenTickets }: HoldWorkingSet, request: HoldRequest): boolean {
  const { paymasterId, ticket } = request;
  const endedUntil = forgottenTickets.get(paymasterId);
  return isSponsored(request) && ticket !== undefined && endedUntil !== undefined && ticket.endsAt <= endedUntil;
}

const { refusal: ticketExpired } = ticketRefusals.expired;
const forgottenTicket: HoldDecision = {
  kind: 'limited',
  rulings: [{ rule: 'ticket', finding: ['forgotten-ticket'], refusal: ticketExpired }],
  refusal: ticketExpired,
};

const grantedBefore: Ruling = { rule: 'gas-tank', finding: ['granted-before'] };

function carried({ amount }: HoldRequest, added: bigint, available: bigint): Ruling {
  return { rule: 'gas-tank', finding: ['gas-tank', amount, available, amount - added] };
}
