import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { UsageItem } from '@tollfree/contract/usage';

/** What operations of the last week could cost in USD, and how many a sender had. Absent: none, or none with a known price. */
export type RecentCosts = {
  /** The highest maximum cost of one signed operation. */
  readonly highestUsd?: number;
  /** The highest cost of all operations of a day. */
  readonly highestDayUsd?: number;
  /** The cost of all operations of the week. */
  readonly weekUsd?: number;
  /** The most operations that were signed for a sender on one UTC day. */
  readonly mostOfSenderInDay?: number;
  /** The most operations of a sender that landed in the week, or were signed in the part of it that was read. */
  readonly mostOfSender?: number;
};

export const secondsPerDay = 86_400;
type Recent = {
  readonly decisions: readonly Pick<DecisionItem, 'facts' | 'sender' | 'nonce' | 'decidedAt'>[];
  readonly days: readonly Pick<UsageItem, 'chargeUsd'>[];
  readonly senders: readonly Pick<UsageItem, 'key' | 'landed'>[];
};

/** Sums up signed decisions and usage of the last week. */
export function recentCostsOf({ decisions, days, senders }: Recent): RecentCosts {
  const dayCosts = days.map(({ chargeUsd }) => Number(chargeUsd));
  const landed = senders.flatMap(({ key, landed: count }) => (key.startsWith('0x') ? [count] : []));
  const signedIn = (place: (decision: Recent['decisions'][number]) => string) => [
    ...countOperations(decisions, place).values(),
  ];
  return {
    ...highest('highestUsd', decisions.flatMap(worstCaseUsd)),
    ...highest('highestDayUsd', dayCosts),
    ...highest('weekUsd', [dayCosts.reduce((sum, cost) => sum + cost, 0)]),
    ...highest(
      'mostOfSenderInDay',
      signedIn(({ sender, decidedAt }) => `${sender} ${Math.floor(decidedAt / secondsPerDay)}`),
    ),
    ...highest('mostOfSender', [...landed, ...signedIn(({ sender }) => `${sender}`)]),
  };
}

/** Operations by place; one that was signed for again, with the same nonce, is one. */
function countOperations(
  decisions: Recent['decisions'],
  place: (decision: Recent['decisions'][number]) => string,
): ReadonlyMap<string, number> {
  const nonces = new Map<string, Set<string>>();
  for (const decision of decisions) {
    if (decision.sender === undefined) continue;
    const known = nonces.get(place(decision)) ?? new Set();
    nonces.set(place(decision), known.add(`${decision.sender} ${decision.nonce}`));
  }
  return new Map([...nonces].map(([key, known]) => [key, known.size]));
}

function highest<const Name extends string>(
  name: Name,
  amounts: readonly number[],
): { readonly [Key in Name]?: number } {
  const most = Math.max(0, ...amounts);
  return (most > 0 ? { [name]: most } : {}) as { readonly [Key in Name]?: number };
}

/** A decision's maximum cost at the price of that time. */
function worstCaseUsd({ facts }: Pick<DecisionItem, 'facts'>): readonly number[] {
  if (facts?.worstCase === undefined || facts.usdMicrosPerCoin === undefined) return [];
  return [(Number(facts.worstCase) / 1e18) * (Number(facts.usdMicrosPerCoin) / 1e6)];
}
