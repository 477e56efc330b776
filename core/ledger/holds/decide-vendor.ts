import { maxBigint } from '../../base/values/integers.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { VendorUse } from '../../store/vendor-use.ts';
import type { LedgerAccounts } from '../accounts/ledger-accounts.ts';
import { countedIn } from '../accounts/legs.ts';
import { vendorAccounts } from '../accounts/vendor-accounts.ts';
import type { PlannedLeg } from './decide-limits.ts';
import type { DraftHold } from './draft-hold.ts';
import { answerKey, type HoldRequest, type VendorAsk, type VendorReservation } from './hold-request.ts';
import { type KnownTerms, minRest } from './live-holds.ts';
import { shareOf } from './share-of.ts';

const rule = 'vendor';

type Asking = HoldRequest & { readonly vendor: VendorAsk };

/** The parts of a working set that a question to another paymaster is decided with. `now` in Unix seconds. */
type VendorSet = {
  readonly accounts: LedgerAccounts;
  readonly knownTerms: ReadonlyMap<string, KnownTerms>;
  readonly now: number;
};

/** `use` is what the hold has asked for with this question; absent if an earlier answer is repeated. */
type Decided = {
  readonly rulings: readonly Ruling[];
  readonly reservation: VendorReservation;
  readonly use?: VendorUse;
};

/**
 * Whether another paymaster may be asked. Only what the request needs beyond an earlier question about the same nonce is
 * set aside, because only one of the operations can land; the hold counts as a whole at the time of its last question. When the
 * budget refuses, the reason is the same as without another paymaster.
 */
export function decideVendor(workingSet: VendorSet, request: Asking, live: DraftHold | undefined): Decided {
  const { vendor, requestKey } = request;
  const { budget, why, usdMicros, askedUntil } = vendor;
  const kept = workingSet.knownTerms.get(answerKey(requestKey));
  if (kept !== undefined && kept.hold === live && kept.validUntil > workingSet.now + minRest) {
    const reservation = { added: 0n, askedUntil: 0, answer: kept.terms };
    return { rulings: [{ rule, finding: ['vendor-answered-before'] }], reservation };
  }
  const before = live?.vendorUse ?? notAsked;
  const reserved = maxBigint(usdMicros, before.reserved);
  const reservation = { added: reserved - before.reserved, askedUntil };
  if (before.askedUntil > workingSet.now) {
    return { rulings: [{ rule, finding: ['vendor-asked'], refusal: askedTwice }], reservation };
  }
  const { day, month, client } = accountsOf(request, workingSet.now);
  const budgets = [
    { of: 'day', max: budget.usdMicrosPerDay, account: day },
    { of: 'month', max: budget.usdMicrosPerMonth, account: month },
    { of: 'client', max: shareOf(budget.usdMicrosPerDay, budget.maxSharePerClient), account: client },
  ] as const;
  const rulings: Ruling[] = [];
  for (const { of, max, account } of budgets) {
    if (account === undefined) continue;
    const used = workingSet.accounts.of(account.name).amount;
    const added = reserved - countedIn(live, workingSet.accounts.find(account.name)).amount;
    const seen: Ruling = { rule, finding: ['vendor-budget', of, added, max, used] };
    if (used + added > max) return { rulings: [...rulings, { ...seen, refusal: why }], reservation };
    rulings.push(seen);
  }
  return { rulings, reservation, use: { ...before, reserved, askedUntil } };
}

const notAsked: VendorUse = { reserved: 0n, askedUntil: 0 };

/** The accounts that count a hold under which another paymaster is asked at `now` (Unix seconds). */
export function vendorLegs(request: HoldRequest, now: number): readonly PlannedLeg[] {
  const accounts = Object.values(accountsOf(request, now));
  return accounts.flatMap((account) => (account === undefined ? [] : [{ code: 's', account }]));
}

function accountsOf(request: HoldRequest, now: number) {
  const { tank, policy, caps } = request;
  return vendorAccounts({
    chainId: tank.chainId,
    paymasterId: policy.paymasterId,
    client: caps?.client,
    now,
  });
}

const askedTwice: Refusal = {
  reason: 'RATE_LIMITED',
  message: 'Another request for this nonce is being answered. Send this one again shortly.',
};
