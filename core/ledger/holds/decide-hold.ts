import { maxBigint } from '../../base/values/integers.ts';
import { isSponsored } from '../../domain/user-share.ts';
import { isNamed, policyNotAccepted } from '../../policies/policy-key.ts';
import { refusedBy } from '../../policies/rules/decide-stage.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { ticketRefusals } from '../../tickets/ticket.ts';
import type { Quantity } from '../accounts/ledger-accounts.ts';
import { addLegChanges, type HoldMove, type Legs, noLegs } from '../accounts/legs.ts';
import { contractAccount, openAccountsOf, tankAccount } from '../accounts/open-accounts.ts';
import { decideBudgets } from '../budgets.ts';
import { addSponsored, addToHold, noteSigner, withSponsored } from './add-to-hold.ts';
import { countForClient, decideCaps } from './decide-caps.ts';
import { budgetLegs, decideLimits, openLegs, type PlannedLeg } from './decide-limits.ts';
import { decideRisk, riskAdded } from './decide-risk.ts';
import { decideVendor, vendorLegs } from './decide-vendor.ts';
import { type DraftHold, freshHold, identityOf } from './draft-hold.ts';
import { type HoldOutcome, type HoldRequest, tankIdentity, type VendorReservation } from './hold-request.ts';
import type { HoldWorkingSet } from './hold-working-set.ts';
import { minRest } from './live-holds.ts';
import { decideTokenPayment, noteTokenPayment } from './open-token-payments.ts';
import { decidePayer, notePayer } from './other-payers.ts';
import { availableWei } from './read-available-funds.ts';

/** A decision that the working set already includes. */
export type HoldDecision =
  | {
      readonly kind: 'held';
      readonly request: HoldRequest;
      readonly hold: DraftHold;
      readonly rulings: readonly Ruling[];
      readonly terms?: string;
      readonly vendor?: VendorReservation;
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
export function decideHold(workingSet: HoldWorkingSet, request: HoldRequest): HoldDecision {
  const { decidedOn, policy, payment } = request;
  if (!decidedOn.isCurrent()) return { kind: 'changed' };
  const { paymasterChanges } = decidedOn;
  if (paymasterChanges !== undefined && workingSet.changes.get(policy.paymasterId) !== paymasterChanges) {
    return { kind: 'changed' };
  }
  if (isNamed(policy) && !workingSet.limits.has(policy.policyId)) return endedPolicy(policy.policyId);
  if (isForgotten(workingSet, request)) return forgottenTicket;
  const funds = workingSet.tanks.get(tankIdentity(request.tank));
  if (funds === undefined) return { kind: 'unfunded', rulings: [], available: 0n };
  const { tankId, funded, settled } = funds;
  const tank = { tankId, funded, settled, held: workingSet.accounts.of(tankAccount(tankId)).amount };
  const heldOnContract = workingSet.accounts.of(contractAccount(request.tank)).amount;
  const identity = identityOf(tank.tankId, request);
  const live = workingSet.holds.get(identity);
  const available = availableWei(tank, heldOnContract, request);
  const known = request.vendor === undefined ? workingSet.knownTerms.get(request.requestKey) : undefined;
  if (known !== undefined && known.hold === live && available >= 0n && known.validUntil > workingSet.now + minRest) {
    noteSigner(live, request);
    return { kind: 'held', request, hold: known.hold, rulings: [grantedBefore], terms: known.terms };
  }

  const pending = decidePayer(workingSet.pendingPayers, request);
  if (pending !== undefined) return { kind: 'limited', rulings: [pending], refusal: pending.refusal };
  const ofTank = request.vendor === undefined ? request.amount : 0n;
  const added = maxBigint(ofTank - (live?.amount ?? 0n), 0n);
  const sponsored = isSponsored(payment) ? decideSponsored(workingSet, request, live) : undefined;
  const budgeted = sponsored?.rulings ?? [];
  const limited = refusedBy(budgeted);
  if (limited !== undefined) return { kind: 'limited', rulings: budgeted, refusal: limited.refusal };
  if (request.vendor === undefined && added > available)
    return { kind: 'unfunded', rulings: budgeted, available: maxBigint(available, 0n) };
  const spendable = available + tank.held;
  const atRiskAdded = riskAdded(request, live);
  const counted = countForClient(request, live, { amount: added, atRisk: atRiskAdded });
  const capped = [
    ...decideCaps(workingSet, request, tank, live, { added, spendable, counted }),
    ...decideRisk(workingSet, request, { added: atRiskAdded, spendable, counted }),
  ];
  const asked = request.vendor && decideVendor(workingSet, { ...request, vendor: request.vendor }, live);
  const ofVendor = asked?.rulings ?? [];
  const rulings = [...budgeted, ...capped, ...ofVendor];
  const refused = refusedBy([...capped, ...ofVendor]);
  if (refused !== undefined) return { kind: 'limited', rulings, refusal: refused.refusal };
  const paid = decideTokenPayment(workingSet.tokenPayments, request);
  if (paid?.ruling.refusal !== undefined) {
    const { ruling, openPayments } = paid;
    return { kind: 'limited', rulings: [...rulings, ruling], refusal: paid.ruling.refusal, openPayments };
  }

  const hold = live ?? newHold(workingSet, request, tankId);
  const before = live && { ...live };
  if (counted.takesOver) hold.client = request.caps?.client;
  addToHold(hold, request, { added, atRiskAdded });
  if (sponsored !== undefined) addSponsored(hold, request, sponsored.after);
  if (asked?.use !== undefined) hold.vendorUse = asked.use;
  const ofAsked = asked?.use === undefined ? undefined : vendorLegs(request, workingSet.now);
  hold.legs = legsWith(workingSet, hold, { limits: sponsored?.planned, vendor: ofAsked });
  workingSet.accounts.change(legChanges({ before, after: hold }));
  workingSet.holds.set(identity, hold);
  notePayer(workingSet.pendingPayers, request);
  noteTokenPayment(workingSet.tokenPayments, request);
  if (asked !== undefined) {
    return { kind: 'held', request, hold, rulings, vendor: asked.reservation };
  }
  const { validUntil, terms } = request;
  workingSet.knownTerms.set(request.requestKey, { hold, validUntil, terms, tokens: payment.tokens, fresh: true });
  return { kind: 'held', request, hold, rulings: [...rulings, carried(request, added, available)] };
}

function newHold({ counters, now }: HoldWorkingSet, request: HoldRequest, tankId: number): DraftHold {
  return freshHold(request, { holdId: counters.take('hold'), tankId, now });
}

/** What limits and budgets say to a sponsored request, up to the first kind of them that refuses, and what its hold comes to. */
function decideSponsored(workingSet: HoldWorkingSet, request: HoldRequest, live: DraftHold | undefined) {
  const { after, budgeted } = withSponsored(request, live);
  const { rulings, planned } = decideLimits(workingSet, request, { live, after });
  if (refusedBy(rulings) !== undefined) return { rulings, planned, after };
  const { accounts, budgets, now } = workingSet;
  const ofBudgets = decideBudgets(budgets.of(request.policy.paymasterId), { accounts, live, budgeted, now });
  return { rulings: [...rulings, ...ofBudgets], planned, after };
}

/**
 * The legs of a hold with a request. What limits count of it stays as it is unless the request is sponsored, and what another
 * paymaster's budget counts unless that is asked.
 */
function legsWith(
  workingSet: HoldWorkingSet,
  hold: DraftHold,
  { limits, vendor }: Record<'limits' | 'vendor', readonly PlannedLeg[] | undefined>,
): Legs {
  const { s: asked = [] } = hold.legs;
  const kept = limits === undefined ? hold.legs : asked.length === 0 ? noLegs : { s: asked };
  const counting = limits === undefined ? [] : [...limits, ...budgetLegs(workingSet, hold.paymasterId)];
  return { ...kept, ...openLegs(workingSet.accounts, [...openAccountsOf(hold), ...counting, ...(vendor ?? [])]) };
}

function legChanges(move: HoldMove): ReadonlyMap<number, Quantity> {
  const changes = new Map<number, Quantity>();
  addLegChanges(changes, move);
  return changes;
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
  const { policy, payment } = request;
  const ticket = request.ticket?.bounded;
  const endedUntil = forgottenTickets.get(policy.paymasterId);
  return isSponsored(payment) && ticket !== undefined && endedUntil !== undefined && ticket.endsAt <= endedUntil;
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
