import { queryOptions } from '@tanstack/react-query';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { type RecentCosts, recentCostsOf, secondsPerDay } from './recent-costs.ts';

/** A page of decisions is enough for a suggestion. */
const mostDecisions = '200';

export function recentCostsQuery(paymaster: PaymasterItem) {
  return queryOptions({
    queryKey: ['paymaster', paymaster.paymasterId, 'recent-costs'],
    staleTime: 300_000,
    queryFn: async (): Promise<RecentCosts> => {
      const headers = headersOf(paymaster);
      const since = Date.now() - 7 * secondsPerDay * 1_000;
      const from = new Date(since).toISOString().slice(0, 10);
      const [{ decisions }, days, senders] = await Promise.all([
        routes.decision.list({
          headers,
          query: { outcome: 'signed', from: String(Math.floor(since / 1_000)), limit: mostDecisions },
        }),
        routes.usage.read({ headers, query: { by: 'day', from } }),
        routes.usage.read({ headers, query: { by: 'sender', from } }),
      ]);
      return recentCostsOf({ decisions, days, senders });
    },
  });
}
