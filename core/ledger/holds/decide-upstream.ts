import { maxBigint } from '../../base/values/integers.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest, UpstreamAsk, UpstreamReservation } from './hold-request.ts';
import { type AskedUpstream, ofChain, ofClient, sumIdentity, type UpstreamWorkingSet } from './upstream-working-set.ts';

/** An answer that ends within this many seconds is of no use to a client that asks again. */
const minRest = 10;
const rule = 'upstream';
/** Shares count in millionths. */
const millionths = 1_000_000;

type Asking = HoldRequest & { readonly upstream: UpstreamAsk };
type Decided = { readonly rulings: readonly Ruling[]; readonly reservation: UpstreamReservation };

/**
 * Whether a second paymaster may be asked. Only what the request needs beyond an earlier question about the same nonce is
 * set aside, because only one of the operations can land. When the budget refuses, the reason is the same as without a
 * second paymaster.
 */
export function decideUpstream(book: UpstreamWorkingSet, request: Asking, live: DraftHold | undefined): Decided {
  const { upstream, requestKey, client, tank } = request;
  const day = windowStart('day', book.now);
  const before = live?.holdId === undefined ? undefined : book.holds.get(live.holdId);
  const isAnswered = before?.answer !== undefined && before.requestKey === requestKey;
  if (isAnswered && before.validUntil > book.now + minRest) {
    const reservation = { added: 0n, day, answer: before.answer };
    return { rulings: [{ rule, finding: ['upstream-answered-before'] }], reservation };
  }
  const isAsking = (before?.askedUntil ?? 0) > book.now || book.asked.some(({ hold }) => hold === live);
  const added = maxBigint(upstream.usdMicros - (before?.reserved ?? 0n), 0n);
  const reservation = { added, day };
  if (isAsking) {
    return { rulings: [{ rule, finding: ['upstream-asked'], refusal: askedTwice }], reservation };
  }
  const { usdMicrosPerDay, usdMicrosPerMonth, maxSharePerClient } = upstream.budget;
  const used = (whose: string) => book.sums.get(sumIdentity({ chainId: tank.chainId, whose, day })) ?? 0n;
  const ofMonth = [...book.sums].reduce((sum, [identity, usdMicros]) => {
    return isOfMonth(identity, tank.chainId) ? sum + usdMicros : sum;
  }, 0n);
  const share = (usdMicrosPerDay * BigInt(Math.round(maxSharePerClient * millionths))) / BigInt(millionths);
  const budgets = [
    { of: 'day', max: usdMicrosPerDay, used: used(ofChain) },
    { of: 'month', max: usdMicrosPerMonth, used: ofMonth },
    ...(client === undefined ? [] : [{ of: 'client', max: share, used: used(ofClient(client)) } as const]),
  ] as const;
  const rulings: Ruling[] = [];
  for (const budget of budgets) {
    const isOver = budget.used + added > budget.max;
    rulings.push({
      rule,
      finding: ['upstream-budget', budget.of, added, budget.max, budget.used],
      ...(isOver ? { refusal: upstream.outage } : {}),
    });
    if (isOver) break;
  }
  return { rulings, reservation };
}

/** The sums that were read are of this month. */
function isOfMonth(identity: string, chainId: number): boolean {
  const [ofThat, , whose] = identity.split(' ');
  return Number(ofThat) === chainId && whose === ofChain;
}

/** Adds a decided question to the working set, for later requests. */
export function askUpstream(book: UpstreamWorkingSet, { reservation, hold, request }: AskedUpstream): AskedUpstream {
  const asked = { reservation, hold, request };
  book.asked.push(asked);
  const { tank, client } = request;
  for (const whose of [ofChain, ...(client === undefined ? [] : [ofClient(client)])]) {
    const identity = sumIdentity({ chainId: tank.chainId, whose, day: reservation.day });
    book.sums.set(identity, (book.sums.get(identity) ?? 0n) + reservation.added);
  }
  return asked;
}

const askedTwice: Refusal = {
  reason: 'RATE_LIMITED',
  message: 'Another request for this nonce is being answered. Send this one again shortly.',
};
