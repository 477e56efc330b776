import { queryOptions } from '@tanstack/react-query';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';

/** What operations of the last week could cost, in USD. Absent: none has a known price. */
export type RecentCosts = {
  /** The highest maximum cost of one signed operation. */
  readonly highestUsd?: number;
  /** The highest cost of all operations of a day. */
  readonly highestDayUsd?: number;
};

const secondsPerDay = 86_400;
/** A page of decisions is enough for a suggestion. */
const mostDecisions = '200';

export function recentCostsQuery(paymaster: PaymasterItem) {
  return queryOptions({
    queryKey: ['paymaster', paymaster.paymasterId, 'recent-costs'],
    staleTime: 300_000,
    queryFn: async (): Promise<RecentCosts> => {
      const headers = headersOf(paymaster);
      const since = Date.now() - 7 * secondsPerDay * 1_000;
      const [{ decisions }, days] = await Promise.all([
        routes.decision.list({
          headers,
          query: { outcome: 'signed', from: String(Math.floor(since / 1_000)), limit: mostDecisions },
        }),
        routes.usage.read({ headers, query: { by: 'day', from: new Date(since).toISOString().slice(0, 10) } }),
      ]);
      return {
        ...highest('highestUsd', decisions.flatMap(worstCaseUsd)),
        ...highest(
          'highestDayUsd',
          days.map(({ chargeUsd }) => Number(chargeUsd)),
        ),
      };
    },
  });
}

function highest<const Name extends string>(
  name: Name,
  amounts: readonly number[],
): { readonly [Key in Name]?: number } {
  const most = Math.max(0, ...amounts);
  return (most > 0 ? { [name]: most } : {}) as { readonly [Key in Name]?: number };
}

/** A decision's maximum cost at the price of that time. */
export function worstCaseUsd({ facts }: Pick<DecisionItem, 'facts'>): readonly number[] {
  if (facts?.worstCase === undefined || facts.usdMicrosPerCoin === undefined) return [];
  return [(Number(facts.worstCase) / 1e18) * (Number(facts.usdMicrosPerCoin) / 1e6)];
}
